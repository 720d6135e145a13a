import { useRef } from 'react'
import { useVirtualizer } from '@tanstack/react-virtual'

export interface Person {
  id: string
  name: string
}

export function People({ people }: { people: Array<Person> }) {
  const scrollRef = useRef<HTMLDivElement>(null)

  const virtualizer = useVirtualizer({
    count: people.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => 40,
  })

  return (
    <div ref={scrollRef} style={{ height: '60vh', overflow: 'auto' }}>
      <ul style={{ height: virtualizer.getTotalSize(), position: 'relative', margin: 0, padding: 0 }}>
        {virtualizer.getVirtualItems().map((item) => (
          <li
            key={item.key}
            style={{
              position: 'absolute',
              top: 0,
              width: '100%',
              height: item.size,
              transform: `translateY(${item.start}px)`,
            }}
          >
            {people[item.index]?.name}
          </li>
        ))}
      </ul>
    </div>
  )
}
