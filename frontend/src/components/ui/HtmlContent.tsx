import { useEffect } from 'react'
import type { Html } from '../../api/html'
import { MARKUP_CHANGED } from '../../lib/events'
import { InlineScript } from './InlineScript'

interface HtmlContentProps {
  html: Html
  className?: string
  /** Whether the HTML may have tabs, which are painted as the reader chose them. */
  hasTabs?: boolean
}

/** HTML that the server rendered from Markdown. Hydration keeps the markup that is in the document. */
export function HtmlContent({ html, className, hasTabs = false }: HtmlContentProps) {
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
        dangerouslySetInnerHTML={html.inner}
        suppressHydrationWarning
      />
      {/* Only where needed: at each script the parser pauses, and the browser may lay out the page. */}
      {hasTabs ? <InlineScript /> : null}
    </>
  )
}
