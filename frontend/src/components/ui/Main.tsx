import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { HYDRATED } from '../../lib/events'

/** A page's content: every page has exactly one, and it is where the reader is put after a navigation. */
export function Main({ className, children }: { className?: string; children: ReactNode }) {
  // Tells the outside world that the page answers to React: hydration ends where the innermost boundary does.
  useEffect(() => {
    window.__kinfolk.hydrated = true
    document.dispatchEvent(new Event(HYDRATED))
  }, [])
  return (
    <main id="content" tabIndex={-1} className={className}>
      {children}
    </main>
  )
}
