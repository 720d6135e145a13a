import { PREFERENCES_SCRIPT } from '../../lib/bootApi'

/** Runs a short script while the browser parses the page of the server; without another one, applies stored choices to the markup before it. */
export function InlineScript({ script = PREFERENCES_SCRIPT }: { script?: string }) {
  return <script dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? script : '' }} suppressHydrationWarning />
}
