import { useCallback, useState } from 'react'
import type { Load } from '../../api/call'
import type { PackageCoverage, StatisticsImport } from '../../api/generated'
import { formatDate, formatNumber } from '../../lib/format'
import { Badge } from '../ui/Badge'
import type { TopicData, TopicState } from '../../live/topics'
import type { Column } from './DataTable'
import { DataTable } from './DataTable'
import { FollowedTopic } from './FollowedTopic'
import { LoadedSection } from './LoadedSection'
import { useLoaded } from './useLoaded'

const COLUMNS: Column<PackageCoverage>[] = [
  { name: 'Package', cell: ({ name }) => name },
  {
    name: 'Years',
    cell: ({ name, years, allYears }) => (
      <meter className="saved-progress" min={0} max={allYears} value={years} aria-label={`${years} of ${allYears} years of ${name}`} />
    ),
  },
  { name: 'Stored', numeric: true, cell: ({ years, allYears }) => `${years} of ${allYears}` },
  { name: 'State', cell: ({ complete, hasFile }) => (complete ? 'complete' : hasFile ? 'counts of a file' : 'incomplete') },
]

/** How much of npm's download counts is stored. */
export function StatisticsImporter({ load }: { load: Load }) {
  const { state, reload } = useLoaded(load, 'maintenance.statistics', null)
  return (
    <LoadedSection state={state} reload={reload}>
      {(found) => (
        <>
          <ImporterState found={found} />
          <ImportProgress reload={reload} />
          <DataTable
            caption="Packages"
            rows={found.packages}
            columns={COLUMNS}
            rowKey={({ name }) => name}
            empty="No packages are compared. The files of the site name none, and no reader has requested one."
          />
        </>
      )}
    </LoadedSection>
  )
}

/** A step that is older is of an import that was stopped. */
const STALE_MS = 5 * 60_000
const IMPORT = { name: 'statistics.import', args: {} }

/** The running import, as the importer reports it. */
function ImportProgress({ reload }: { reload: () => void }) {
  const [data, setData] = useState<TopicData>({})
  const receive = useCallback(
    (state: TopicState) => {
      setData(Date.now() - Date.parse(state.asOf) < STALE_MS ? state.data : {})
      reload()
    },
    [reload],
  )
  const { subject, done, total, failure } = data
  const isRunning = typeof done === 'number' && typeof total === 'number' && done < total
  return (
    <>
      <FollowedTopic topic={IMPORT} onState={receive} />
      {isRunning ? (
        <section className="dashboard-section" aria-labelledby="import">
          <h2 id="import">Current import</h2>
          <progress className="saved-progress-wide" max={total} value={done} aria-label="Requests to npm" />
          <p>
            {formatNumber(done)} of {formatNumber(total)} requests, last for {subject}
            {failure ? `: ${failure}` : ''}
          </p>
        </section>
      ) : null}
    </>
  )
}

function ImporterState({ found }: { found: StatisticsImport }) {
  return (
    <section className="dashboard-section">
      <h2>
        Importer {found.enabled ? null : <Badge tone="alpha">turned off</Badge>}
      </h2>
      {found.packages.length > 0 ? <CompletePackages found={found} /> : null}
      <dl className="dashboard-facts">
        <Fact name="Last response from npm" value={at(found.lastSuccessAt)} />
        <Fact name="Last failure" value={found.lastFailureAt ? `${at(found.lastFailureAt)}: ${found.lastFailure}` : 'none'} />
        <Fact name="Paused until" value={found.pausedUntil ? at(found.pausedUntil) : 'not paused'} />
        <Fact name="Requested and waiting" value={found.waiting.join(', ') || 'none'} />
        <Fact name="Not found on npm" value={found.notFound.join(', ') || 'none'} />
        <Fact name="With downloads by version" value={`${formatNumber(found.withVersions)} packages`} />
      </dl>
    </section>
  )
}

function CompletePackages({ found: { packages } }: { found: StatisticsImport }) {
  const complete = packages.filter((each) => each.complete).length
  const text = `${formatNumber(complete)} of ${formatNumber(packages.length)} packages are complete`
  return (
    <>
      <p className="dashboard-lead">{text}.</p>
      <meter className="saved-progress saved-progress-wide" min={0} max={packages.length} value={complete} aria-label={text} />
    </>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function at(time: string | null): string {
  return time ? `${formatDate(time)}, ${time.slice(11, 16)} UTC` : 'never'
}
