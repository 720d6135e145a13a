import { useState } from 'react'
import { Button } from '../ui/Button'

const MESSAGES = { new: '', copied: 'Copied', failed: 'Your browser did not allow it' } as const

/** The alternative text of the chart, and a button that copies it. */
export function ChartDescription({ summary }: { summary: string }) {
  const [state, setState] = useState<keyof typeof MESSAGES>('new')
  const copy = () => {
    // Browsers may refuse, and have no clipboard without HTTPS.
    const copied = navigator.clipboard?.writeText(summary) ?? Promise.reject(new Error('There is no clipboard'))
    copied.then(
      () => setState('copied'),
      () => setState('failed'),
    )
  }
  return (
    <figcaption className="chart-caption">
      <details className="chart-description">
        <summary>Description</summary>
        <p>{summary}</p>
      </details>
      <p className="chart-copy needs-script">
        <output>{MESSAGES[state]}</output>
        <Button size="small" variant="quiet" onClick={copy}>
          Copy description
        </Button>
      </p>
    </figcaption>
  )
}
