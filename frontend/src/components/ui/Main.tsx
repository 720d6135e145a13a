import type { HTMLAttributes } from 'react'
import { useEffect } from 'react'
import { HYDRATED } from '../../lib/events'
import { CONTENT_ID } from '../../lib/layoutIds'

/** The `<main>` of a page. It receives the focus after a navigation. */
export function Main({ children, ...attributes }: HTMLAttributes<HTMLElement>) {
  // Hydration ends with the innermost boundary, which holds the content.
  useEffect(() => {
    window.__kinfolk.hydrated = true
    document.dispatchEvent(new Event(HYDRATED))
  }, [])
  return (
    <main id={CONTENT_ID} tabIndex={-1} {...attributes}>
      {children}
    </main>
  )
}
