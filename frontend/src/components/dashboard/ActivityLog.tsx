import type { Load } from '../../api/call'
import { formatDate } from '../../lib/format'
import { DataTable } from './DataTable'
import { LoadedSection } from './LoadedSection'
import { useLoaded } from './useLoaded'

const ACTIONS: Record<string, string> = {
  'account-created': 'Account created',
  'account-deleted': 'Account deleted',
  'sign-in': 'Signed in',
  'sign-out': 'Signed out',
  'sessions-ended': 'Devices signed out',
  'feedback-moved': 'Feedback moved',
  'sync-requested': 'Sync requested',
  'override-changed': 'Promotion or sponsor changed',
  'override-removed': 'Promotion or sponsor removed',
}

/** What accounts did, for 180 days. */
export function ActivityLog({ load }: { load: Load }) {
  const { state, reload } = useLoaded(load, 'maintenance.activity', null)
  return (
    <LoadedSection state={state} reload={reload}>
      {(events) => (
        <DataTable
          caption="Latest events"
          rows={events.map((event, index) => ({ ...event, index }))}
          columns={[
            { name: 'When', cell: ({ at }) => `${formatDate(at)}, ${at.slice(11, 16)} UTC` },
            { name: 'What', cell: ({ action }) => ACTIONS[action] ?? action },
            { name: 'Who', cell: ({ by }) => by || '–' },
            { name: 'Details', cell: ({ detail }) => detail },
          ]}
          rowKey={({ index }) => String(index)}
          empty="Nothing has happened yet."
        />
      )}
    </LoadedSection>
  )
}
