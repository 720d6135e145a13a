import { useState } from 'react'
import type { Load } from '../../api/call'
import type { DeliveryItem, DeliveryReport, DeliveryRequest } from '../../api/generated'
import { formatDate, formatNumber } from '../../lib/format'
import { Badge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { Select } from '../ui/Select'
import { WithCode } from '../ui/WithCode'
import { deliverySentence, deliveryState, deliveryTitle, formatSeconds, isWithoutResult } from './deliverySentences'
import { EmptySection } from './EmptySection'
import { LoadedSection } from './LoadedSection'
import { useLoaded } from './useLoaded'
import { useRegularReload } from './useRegularReload'
import { WebhookSetup } from './WebhookSetup'

type Result = DeliveryRequest['result']

const TITLE = 'Deliveries'
const ALL = 'all'
const RESULTS: { result: Result; label: string }[] = [
  { result: 'all', label: 'All' },
  { result: 'accepted', label: 'Accepted' },
  { result: 'ignored', label: 'Ignored' },
  { result: 'refused', label: 'Refused' },
  { result: 'failed', label: 'Failed' },
]
const HOSTS: Record<string, string> = { github: 'GitHub', gitlab: 'GitLab', codeberg: 'Forgejo' }

/** What webhooks delivered in the last 30 days, and what came of it. */
export function WebhookDeliveries({ load }: { load: Load }) {
  const [result, setResult] = useState<Result>('all')
  const [repo, setRepo] = useState(ALL)
  const { state, reload } = useLoaded(load, 'maintenance.deliveries', { result, repo: repo === ALL ? '' : repo })
  useRegularReload(reload)
  const isFiltered = result !== 'all' || repo !== ALL
  return (
    <LoadedSection state={state} reload={reload}>
      {(report) =>
        report.deliveries.length === 0 && !isFiltered ? (
          <NoDeliveries report={report} />
        ) : (
          <>
            <p className="dashboard-lead">{syncsBetween(report)}</p>
            {report.hasSecret ? null : (
              <p className="dashboard-lead">
                <strong>All deliveries are refused:</strong> <code>KINFOLK_WEBHOOK_SECRET</code> is not set.
              </p>
            )}
            <div className="delivery-filters">
              <fieldset aria-label="Result" className="actions feedback-views">
                {RESULTS.map((each) => (
                  <Button
                    key={each.result}
                    size="small"
                    aria-pressed={result === each.result}
                    onClick={() => setResult(each.result)}
                  >
                    {each.label}
                  </Button>
                ))}
              </fieldset>
              {report.repositories.length > 1 ? (
                <Select
                  label="Repository"
                  value={repo}
                  onChange={setRepo}
                  options={[ALL, ...report.repositories].map((value) => ({
                    value,
                    label: value === ALL ? 'All repositories' : value,
                  }))}
                />
              ) : null}
            </div>
            <DeliveryList report={report} />
          </>
        )
      }
    </LoadedSection>
  )
}

function NoDeliveries({ report: { hasSecret, mirrored, addresses } }: { report: DeliveryReport }) {
  if (!mirrored) return <EmptySection title={TITLE} text="The docs come from a folder, which no push changes." />
  const text = hasSecret
    ? 'No delivery has arrived in the last 30 days.'
    : 'The webhook is not set up. With one, a push is shown within seconds.'
  return <WebhookSetup title={TITLE} text={text} hasSecret={hasSecret} addresses={addresses} />
}

/** How long a push without a delivery takes. */
function syncsBetween({ mirrored, refreshS }: DeliveryReport): string {
  if (!mirrored) return 'The docs come from a folder, which no push changes.'
  return refreshS > 0
    ? `A push is fetched when it is delivered, or after ${formatSeconds(refreshS)} without a delivery.`
    : 'A push is fetched only when it is delivered.'
}

function DeliveryList({ report: { deliveries, now } }: { report: DeliveryReport }) {
  if (deliveries.length === 0) return <EmptySection title={TITLE} text="No delivery of the last 30 days has this result." />
  return (
    <section className="dashboard-section">
      <h2>
        {TITLE}
        <span className="dashboard-count">{deliveries.length}</span>
      </h2>
      <ul className="saved-list">
        {deliveries.map((delivery) => (
          <Delivery key={delivery.key} delivery={delivery} now={now} />
        ))}
      </ul>
    </section>
  )
}

function Delivery({ delivery, now }: { delivery: DeliveryItem; now: string }) {
  const { at, host, event, status, id, count, earlier, result, sync } = delivery
  const isWrong = result === 'refused' || result === 'failed' || sync === 'failed'
  const tone = isWrong ? 'alpha' : result === 'accepted' ? 'beta' : undefined
  return (
    <li className={isWrong ? 'saved-row delivery-wrong' : 'saved-row'}>
      <div className="saved-main">
        <p className="delivery-title">
          <span>{deliveryTitle(delivery)}</span> <Badge tone={tone}>{deliveryState(delivery, isWithoutResult(delivery, now))}</Badge>
          {earlier ? <Badge>repeated</Badge> : null}
        </p>
        <p className="delivery-sentence">
          <WithCode text={deliverySentence(delivery, now)} />
        </p>
        <p className="saved-about">
          {[
            `${formatDate(at)}, ${at.slice(11, 19)} UTC`,
            [HOSTS[host] ?? host, event].filter(Boolean).join(' '),
            `status ${status}`,
            count > 1 ? `${formatNumber(count)} requests within a minute` : '',
            id ? `delivery ${id}` : '',
            earlier ? `attempt ${earlier + 1}` : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
    </li>
  )
}
