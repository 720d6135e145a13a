import { useState } from 'react'
import type { ExampleTree } from '../../api/generated'
import { embedOf } from '../../lib/examples'
import { Glyph } from './Glyph'

interface Props {
  title: string
  sandbox: ExampleTree['sandbox']
  /** The open file. */
  file: string
}

const MAY = 'clipboard-write; cross-origin-isolated; fullscreen'

/** Runs the example in somebody else's editor. Nothing of theirs is loaded before the reader asks for it. */
export function SandboxPanel({ title, sandbox: { label, embed }, file }: Props) {
  const [running, setRunning] = useState<string | null>(null)
  if (running) {
    // oxlint-disable-next-line react/iframe-missing-sandbox -- an editor of another origin needs all that; the page's policy names the two it may show
    return <iframe src={running} title={`${title} in ${label}`} allow={MAY} className="example-sandbox" />
  }
  const start = () => {
    const theme = document.documentElement.classList.contains('dark') ? 'dark' : 'light'
    setRunning(embedOf(embed, theme, file))
  }
  return (
    <div className="example-start">
      <p className="example-start-title">Run this example in your browser</p>
      <p>
        {label} installs its packages and starts it here. Nothing is loaded from there before you press the button.
      </p>
      <p>
        <button type="button" className="button button-primary needs-script" onClick={start}>
          <Glyph name="play" />
          Start in {label}
        </button>
        <a href={embed.replace(/\?.*/, '')} rel="noopener" target="_blank" className="button">
          Open {label} in a new tab
          <Glyph name="out" />
        </a>
      </p>
    </div>
  )
}
