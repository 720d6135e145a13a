import type { Load } from '../../api/call'
import type { VersionState } from '../../api/generated'
import { formatDate, formatNumber } from '../../lib/format'
import { Badge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { ExternalLink } from '../ui/Link'
import { useToast } from '../ui/Toast'
import type { Column } from './DataTable'
import { FollowedTopic } from './FollowedTopic'
import { DataTable } from './DataTable'
import { LoadedSection } from './LoadedSection'
import { useLoaded } from './useLoaded'

/** After a request for a sync, its result is shown: a small repository takes a second. */
const SYNC_MS = 4000
const CONTENT = { name: 'data.changed', args: { source: 'content' } }

/** Which commit of each version is served, and how old it is. */
export function ContentVersions({ load }: { load: Load }) {
  const { state, reload } = useLoaded(load, 'maintenance.content', null)
  const toast = useToast()
  const sync = ({ repo, branch }: VersionState) =>
    load('maintenance.sync', { repo, branch }).then(
      () => {
        toast('Sync requested', `${repo}, branch ${branch}`)
        setTimeout(reload, SYNC_MS)
      },
      () => toast('The sync could not be requested.', 'Try again.'),
    )
  return (
    <LoadedSection state={state} reload={reload}>
      {({ mirrored, source, versions }) => (
        <>
          <FollowedTopic topic={CONTENT} onState={reload} />
          <p className="dashboard-lead">
            The docs come from {source}. {mirrored ? 'A push is shown as soon as it is fetched.' : 'A folder is not synced.'}
          </p>
          <DataTable
            caption="Versions"
            rows={versions}
            columns={mirrored ? [...COLUMNS, LAST_SYNC, syncColumn((version) => void sync(version))] : COLUMNS}
            rowKey={({ library, version }) => `${library} ${version}`}
            empty="No library is configured."
          />
        </>
      )}
    </LoadedSection>
  )
}

const COLUMNS: Column<VersionState>[] = [
  { name: 'Library', cell: ({ library, version }) => `${library} ${version}` },
  { name: 'State', cell: (version) => <State version={version} /> },
  { name: 'Pages', numeric: true, cell: ({ pages }) => formatNumber(pages) },
  {
    name: 'Commit',
    cell: ({ history, commit, committedAt }) =>
      commit ? (
        <>
          {history ? <ExternalLink href={history}>{commit.slice(0, 8)}</ExternalLink> : commit.slice(0, 8)}
          {committedAt ? ` of ${formatDate(committedAt)}` : ''}
        </>
      ) : (
        'none'
      ),
  },
]
const LAST_SYNC: Column<VersionState> = {
  name: 'Last sync',
  cell: ({ syncedAt }) => (syncedAt ? `${formatDate(syncedAt)}, ${syncedAt.slice(11, 16)} UTC` : 'never'),
}

function State({ version: { commit, failure, failedAt } }: { version: VersionState }) {
  if (failure) {
    return (
      <>
        <Badge tone="alpha">sync failed</Badge> {failedAt ? `since ${formatDate(failedAt)}: ` : ''}
        {failure}
      </>
    )
  }
  return commit ? <Badge tone="beta">served</Badge> : <Badge tone="alpha">no docs</Badge>
}

function syncColumn(sync: (version: VersionState) => void): Column<VersionState> {
  return {
    name: 'Sync',
    cell: (version) => (
      <Button size="small" aria-label={`Sync ${version.library} ${version.version} now`} onClick={() => sync(version)}>
        Sync now
      </Button>
    ),
  }
}
