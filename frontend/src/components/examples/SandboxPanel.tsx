import { useState } from 'react'
import type { ExampleTree } from '../../api/generated'
import { sandboxUrl } from '../../lib/examples/examples'
import { ExampleIcon } from './ExampleIcon'
import { Button, ExternalLinkButton } from '../ui/Button'

interface Props {
  title: string
  sandbox: NonNullable<ExampleTree['sandbox']>
  /** The open file. */
  file: string
}

const ALLOW = 'clipboard-write; cross-origin-isolated; fullscreen'

/** Runs the example in a third-party editor. Nothing is loaded from there before the reader starts it. */
export function SandboxPanel({ title, sandbox: { label, embed }, file }: Props) {
  const [running, setRunning] = useState<string | null>(null)
  if (running) {
    // oxlint-disable-next-line react/iframe-missing-sandbox -- an editor of another origin needs all that; the page's policy names the two it may show
    return <iframe src={running} title={`${title} in ${label}`} allow={ALLOW} className="example-sandbox" />
  }
  const start = () => {
    const theme = document.documentElement.classList.contains('dark') ? 'dark' : 'light'
    setRunning(sandboxUrl(embed, theme, file))
  }
  return (
    <div className="example-sandbox-start">
      <p className="example-sandbox-title">Run this example in your browser</p>
      <p>
        {label} installs the packages and runs the example here. Nothing loads from {label} until you press the button.
      </p>
      <p>
        <Button variant="primary" needsScript onClick={start}>
          <ExampleIcon name="play" />
          Start in {label}
        </Button>
        <ExternalLinkButton href={embed.replace(/\?.*/, '')} target="_blank">
          Open {label} in a new tab
          <ExampleIcon name="out" />
        </ExternalLinkButton>
      </p>
    </div>
  )
}
