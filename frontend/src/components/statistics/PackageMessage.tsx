import { useState } from 'react'
import type { ChartSeries } from '../../api/generated'
import { Button } from '../ui/Button'
import { useComparisonPage } from './ComparisonContext'

interface Props {
  name: string
  series: ChartSeries | undefined
}

/** Why a package is not drawn, or not completely, and what the reader can do. */
export function PackageMessage({ name, series }: Props) {
  if (!series) return null
  switch (series.status) {
    case 'ready':
    case 'hidden':
      return series.message ? <p className="package-message">{series.message}</p> : null
    case 'not-found':
    case 'no-data':
      return <ErrorMessage text={series.message} />
    case 'importing':
    case 'waiting':
      return <p className="package-message">{series.message}</p>
    case 'not-imported':
      return <HistoryRequest name={name} message={series.message} />
  }
}

function ErrorMessage({ text }: { text: string }) {
  return (
    <p className="package-message" data-bad="">
      {text}
    </p>
  )
}

type Request = { kind: 'none' } | { kind: 'sending' } | { kind: 'sent' | 'failed'; message: string }

/** The server fetches the history of a package only when a reader requests it. */
function HistoryRequest({ name, message }: { name: string; message: string }) {
  const { load, refresh } = useComparisonPage()
  const [request, setRequest] = useState<Request>({ kind: 'none' })
  const send = async () => {
    setRequest({ kind: 'sending' })
    try {
      const status = await load('npm.request', { name })
      const failed = status.state === 'not-found'
      setRequest({ kind: failed ? 'failed' : 'sent', message: status.message })
      refresh()
    } catch (error) {
      setRequest({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <div className="package-message" data-bad={request.kind === 'failed' ? '' : undefined}>
      <output>{request.kind === 'sent' || request.kind === 'failed' ? request.message : message}</output>
      {request.kind === 'sent' ? null : (
        <Button size="small" needsScript disabled={request.kind === 'sending'} onClick={() => void send()}>
          {request.kind === 'failed' ? 'Try again' : 'Fetch history'}
          <span className="sr-only">{` of ${name}`}</span>
        </Button>
      )}
    </div>
  )
}
