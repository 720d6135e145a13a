import type { ReactNode } from 'react'

/** What stands where results would stand, while there are none. */
export function Words({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="search-words">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  )
}
