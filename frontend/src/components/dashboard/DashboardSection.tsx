import type { ReactNode } from 'react'
import { useId } from 'react'

interface Props<Item> {
  title: string
  /** Undefined while they are loading. */
  items: readonly Item[] | undefined
  /** What to do so that there are items. */
  empty: string
  children: (item: Item) => ReactNode
}

/** A titled list with its states: loading, empty, filled. */
export function DashboardSection<Item>({ title, items, empty, children }: Props<Item>) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="dashboard-section">
      <h2 id={id}>
        {title}
        {items?.length ? <span className="dashboard-count">{items.length}</span> : null}
      </h2>
      {items === undefined ? (
        <p className="dashboard-empty needs-script">Loading…</p>
      ) : items.length === 0 ? (
        <p className="dashboard-empty">{empty}</p>
      ) : (
        <ul className="saved-list">{items.map(children)}</ul>
      )}
    </section>
  )
}
