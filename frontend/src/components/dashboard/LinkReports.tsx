import type { Load } from '../../api/call'
import type { ContentFault, LinkReport, MissedAddress } from '../../api/generated'
import { formatDate, formatNumber } from '../../lib/format'
import type { Column } from './DataTable'
import { DataTable } from './DataTable'
import { DayBars, fillDays } from './DayBars'
import { EmptySection } from './EmptySection'
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
      {(report) => (
        <>
          <MissedRequests report={report} today={new Date().toISOString().slice(0, 10)} />
          <CheckedDocs report={report} />
        </>
      )}
    </LoadedSection>
  )
}

function MissedRequests({ report: { days, missing, redirects }, today }: { report: LinkReport; today: string }) {
  if (days.every(({ missing: some, redirects: moved }) => some + moved === 0)) {
    return (
      <EmptySection
        title="Requests that found no page"
        text={`No missing pages and no old addresses were requested in the last ${DAYS} days.`}
      />
    )
  }
  return (
    <>
      <DayBars
        label={`Requests that found no page, last ${DAYS} days`}
        names={['missing pages and redirects', 'redirects of old addresses']}
        days={fillDays(
          today,
          DAYS,
          days.map(({ day, missing: some, redirects: moved }) => ({ day, count: some + moved, part: moved })),
        )}
      />
      <DataTable
        caption="Missing pages"
        rows={missing}
        columns={MISSED}
        rowKey={({ path }) => path}
        empty={`No missing pages were requested in the last ${DAYS} days.`}
      />
      <DataTable
        caption="Old addresses"
        rows={redirects}
        columns={MISSED}
        rowKey={({ path }) => path}
        empty={`No old addresses were requested in the last ${DAYS} days.`}
      />
    </>
  )
}

const PROBLEMS = 'Problems in the docs'

function CheckedDocs({ report: { checks, checkedAt, checkedPages, checkedLinks, faultCount, faults } }: { report: LinkReport }) {
  if (checkedAt === null) {
    const text = checks
      ? 'The docs have not been checked yet. The first check starts 30 seconds after the site.'
      : 'The docs are not checked: KINFOLK_LINK_CHECK is off.'
    return <EmptySection title={PROBLEMS} text={text} />
  }
  return (
    <>
      <DataTable
        caption={PROBLEMS}
        rows={faults.map((fault, index) => ({ ...fault, index }))}
        columns={FAULTS}
        rowKey={({ index }) => String(index)}
        empty="The last check found no problems."
      />
      <p className="dashboard-lead">
        Checked on {formatDate(checkedAt)}: {formatNumber(checkedPages)} {checkedPages === 1 ? 'page' : 'pages'} with{' '}
        {formatNumber(checkedLinks)} {checkedLinks === 1 ? 'link has' : 'links have'} {formatNumber(faultCount)}{' '}
        {faultCount === 1 ? 'fault' : 'faults'}.
      </p>
    </>
  )
}
