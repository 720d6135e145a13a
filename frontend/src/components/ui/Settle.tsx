import { SETTLE_SCRIPT } from '../../lib/head'

/** Applies the reader's earlier choices to what stands before it, while the browser is still reading the page. */
export function Settle({ script = SETTLE_SCRIPT }: { script?: string }) {
  return <script dangerouslySetInnerHTML={{ __html: script }} suppressHydrationWarning />
}
