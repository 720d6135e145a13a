import { useRef } from 'react'
import { useVirtualizer } from '@tanstack/react-virtual'

export function Demo() {
  const scroller = useRef<HTMLDivElement>(null)
  const getScrollElement = () => scroller.current
  const rows = useVirtualizer({ count: 100_000, estimateSize: () => 40, getScrollElement })
  const items = rows.getVirtualItems().map(({ key, index, start }) => (
    <li key={key} style={{ translate: `0 ${start}px` }}>Row {(index + 1).toLocaleString()}</li>
  ))
  return (
    <>
      <div ref={scroller} role="group" aria-label="100,000 rows" tabIndex={0}>
        <ul style={{ height: rows.getTotalSize() }}>{items}</ul>
      </div>
      <p>{items.length} of 100,000 rows are in the page.</p>
    </>
  )
}
