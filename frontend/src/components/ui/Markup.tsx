import { useEffect } from 'react'
import type { Html } from '../../api/html'
import { MARKUP_CHANGED } from '../../lib/events'
import { Settle } from './Settle'

/** Markup from the server. React leaves alone what stands in the page already. */
export function Markup({ html, className }: { html: Html; className?: string }) {
  // Tells the starter about new markup, which it gives copy buttons and the reader's choice of tabs.
  useEffect(() => {
    document.dispatchEvent(new Event(MARKUP_CHANGED))
  }, [html])
  return (
    <>
      <div
        className={className}
        data-markup=""
        data-html={html.slot}
        dangerouslySetInnerHTML={{ __html: html.text }}
        suppressHydrationWarning
      />
      <Settle />
    </>
  )
}
