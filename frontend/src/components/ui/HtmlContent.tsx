import { useEffect } from 'react'
import type { Html } from '../../api/html'
import { MARKUP_CHANGED } from '../../lib/events'
import { InlineScript } from './InlineScript'

/** HTML that the server rendered from Markdown. Hydration keeps the markup that is in the document. */
export function HtmlContent({ html, className }: { html: Html; className?: string }) {
  // The boot script adds copy buttons and applies chosen tabs.
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
      <InlineScript />
    </>
  )
}
