import { useEffect, useRef, useState } from 'react'
import type { CodeSample } from '../../api/generated'
import { sandboxUrl } from '../../lib/examples/examples'
import { ExternalLink } from '../ui/Link'

interface Props {
  sandbox: NonNullable<CodeSample['sandbox']>
  /** The framework's name. */
  label: string | null
}

const ALLOW = 'clipboard-write; cross-origin-isolated; fullscreen'
/** `allow-same-origin` refers to the sandbox's own origin, so it gives no access to this site. */
const SANDBOX_FLAGS = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-downloads'

/** Runs the example in a third-party editor. Nothing is loaded from there before the reader opens it. */
export function SampleSandbox({ sandbox: { embed, label: editor }, label }: Props) {
  const [src, setSrc] = useState<string | null>(null)
  const place = useRef<HTMLDetailsElement>(null)
  const follow = () => {
    const theme = document.documentElement.classList.contains('dark') ? 'dark' : 'light'
    setSrc(place.current?.open ? sandboxUrl(embed, theme, '') : null)
  }
  // The reader may have opened it before hydration.
  useEffect(() => {
    if (place.current?.open) follow()
    // eslint-disable-next-line react/exhaustive-deps -- once: `onToggle` reports every later opening
  }, [])
  return (
    <details ref={place} className="landing-sandbox" data-needs-app="" onToggle={follow} suppressHydrationWarning>
      <summary className="button button-small">
        <span className="landing-sandbox-open">Run it here</span>
        <span className="landing-sandbox-close">Close the sandbox</span>
      </summary>
      {src ? (
        <iframe src={src} title={`The example${label ? ` for ${label}` : ''} in ${editor}`} allow={ALLOW} sandbox={SANDBOX_FLAGS} />
      ) : (
        <p>
          {editor} runs this example in your browser.{' '}
          <ExternalLink href={embed.replace(/\?.*/, '')} target="_blank" className="text-link">
            Open {editor} in a new tab
          </ExternalLink>
        </p>
      )}
    </details>
  )
}
