import type { Load } from '../../api/call'
import type { ContentFault, MissedAddress } from '../../api/generated'
import { formatDate, formatNumber } from '../../lib/format'
import type { Column } from './DataTable'
import { DataTable } from './DataTable'
import { DayBars, fillDays } from './DayBars'
import { LoadedSection } from './LoadedSection'
import { useLoaded } from './useLoaded'

const DAYS = 30

const MISSED: Column<MissedAddress>[] = [
  { name: 'Address', cell: ({ path }) => path || 'further addresses' },
  { name: 'Requests', numeric: true, cell: ({ count }) => formatNumber(count) },
  {
    name: 'From',
    cell: ({ referrers }) => referrers.map(({ name, count }) => `${name || 'no referrer'} (${formatNumber(count)})`).join(', '),
  },
]
const FAULTS: Column<ContentFault>[] = [
  { name: 'File', cell: ({ file, place }) => (place ? `${file}, ${place}` : file) },
  { name: 'Fault', cell: ({ reason }) => reason },
]

/** Links that lead nowhere: in the docs, and on other pages. */
export function LinkReports({ load }: { load: Load }) {
  const { state, reload } = useLoaded(load, 'maintenance.links', null)
  return (
    <LoadedSection state={state} reload={reload}>
      {({ days, missing, redirects, faults, faultCount, checkedAt, checkedPages, checkedLinks }) => (
        <>
          <DayBars
            label={`Requests that found no page, last ${DAYS} days`}
            names={['missing pages and redirects', 'redirects of old addresses']}
            days={fillDays(
              new Date().toISOString().slice(0, 10),
              DAYS,
              days.map(({ day, missing: some, redirects: moved }) => ({ day, count: some + moved, part: moved })),
            )}
          />
          <p className="dashboard-lead">
            {checkedAt
              ? `The docs were checked on ${formatDate(checkedAt)}: ${formatNumber(checkedPages)} pages with ${formatNumber(checkedLinks)} links have ${formatNumber(faultCount)} faults.`
              : 'The docs have not been checked yet. The first check starts 30 seconds after the site.'}
          </p>
          <DataTable
            caption="Problems in the docs"
            rows={faults.map((fault, index) => ({ ...fault, index }))}
            columns={FAULTS}
            rowKey={({ index }) => String(index)}
            empty="No known problems."
          />
          <DataTable
            caption="Missing pages"
            rows={missing}
            columns={MISSED}
            rowKey={({ path }) => path}
            empty="No missing pages were requested in the last 30 days."
          />
          <DataTable
            caption="Old addresses"
            rows={redirects}
            columns={MISSED}
            rowKey={({ path }) => path}
            empty="No old addresses were requested in the last 30 days."
          />
        </>
      )}
    </LoadedSection>
  )
}
