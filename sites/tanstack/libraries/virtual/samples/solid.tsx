import { For } from 'solid-js'
import { createVirtualizer } from '@tanstack/solid-virtual'

export interface Person {
  id: string
  name: string
}

export function People(props: { people: Array<Person> }) {
  let scroller!: HTMLDivElement

  const virtualizer = createVirtualizer<HTMLDivElement, HTMLLIElement>({
    get count() {
      return props.people.length
    },
    getScrollElement: () => scroller,
    estimateSize: () => 40,
  })

  return (
    <div ref={scroller} style={{ height: '60vh', overflow: 'auto' }}>
      <ul
        style={{ height: `${virtualizer.getTotalSize()}px`, position: 'relative', margin: 0, padding: 0 }}
      >
        <For each={virtualizer.getVirtualItems()}>
          {(item) => (
            <li
              style={{
                position: 'absolute',
                top: 0,
                width: '100%',
                height: `${item.size}px`,
                transform: `translateY(${item.start}px)`,
              }}
            >
              {props.people[item.index]?.name}
            </li>
          )}
        </For>
      </ul>
    </div>
  )
}
