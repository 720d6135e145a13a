import { useEffect, useRef, useState } from 'react'
import type { CodeSample } from '../../api/generated'
import { embedOf } from '../../lib/examples'

interface Props {
  sandbox: NonNullable<CodeSample['sandbox']>
  /** The framework's name. */
  label: string | null
}

const MAY = 'clipboard-write; cross-origin-isolated; fullscreen'
/** It is at home elsewhere, so being itself there gives it nothing of ours. */
const CAN = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-downloads'

/** Runs the example in somebody else's editor, which nothing is loaded from before the reader asks for it. */
export function Sandbox({ sandbox: { embed, label: editor }, label }: Props) {
  const [src, setSrc] = useState<string | null>(null)
  const place = useRef<HTMLDetailsElement>(null)
  const follow = () => {
    const theme = document.documentElement.classList.contains('dark') ? 'dark' : 'light'
    setSrc(place.current?.open ? embedOf(embed, theme, '') : null)
  }
  // A reader may have opened it before the app started.
  useEffect(() => {
    if (place.current?.open) follow()
    // eslint-disable-next-line react/exhaustive-deps -- once: `onToggle` reports every later opening
  }, [])
  return (
    <details ref={place} className="landing-sandbox" onToggle={follow} suppressHydrationWarning>
      <summary className="button button-small">
        <span className="landing-run">Run it here</span>
        <span className="landing-stop">Close the sandbox</span>
      </summary>
      {src ? (
        <iframe src={src} title={`The example${label ? ` for ${label}` : ''} in ${editor}`} allow={MAY} sandbox={CAN} />
      ) : (
        <p>
          {editor} runs this example in your browser.{' '}
          <a href={embed.replace(/\?.*/, '')} target="_blank" rel="noopener" className="text-link">
            Open {editor} in a new tab
          </a>
        </p>
      )}
    </details>
  )
}
