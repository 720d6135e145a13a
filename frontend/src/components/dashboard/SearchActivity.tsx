import type { Load } from '../../api/call'
import type { PositionClicks, QueryCounts } from '../../api/generated'
import { formatNumber } from '../../lib/format'
import { serverPath } from '../../lib/paths'
import { Link } from '../ui/Link'
import type { Column } from './DataTable'
import { DataTable } from './DataTable'
import { DayBars, fillDays } from './DayBars'
import { EmptySection } from './EmptySection'
import { LoadedSection } from './LoadedSection'
import { useLoaded } from './useLoaded'

const DAYS = 30

const TEXT: Column<QueryCounts> = {
  name: 'Query',
  cell: ({ text }) => <Link to={serverPath(`/search?q=${encodeURIComponent(text)}`)}>{text}</Link>,
}
const COLUMNS: Column<QueryCounts>[] = [
  TEXT,
  { name: 'Searches', numeric: true, cell: ({ searches }) => formatNumber(searches) },
  { name: 'Clicks', numeric: true, cell: ({ clicks }) => formatNumber(clicks) },
  { name: 'Average place', numeric: true, cell: ({ place }) => (place === null ? '–' : place.toFixed(1)) },
]
const FAILED: Column<QueryCounts>[] = [
  TEXT,
  { name: 'Without results', numeric: true, cell: ({ withoutResult }) => formatNumber(withoutResult) },
  { name: 'Searches', numeric: true, cell: ({ searches }) => formatNumber(searches) },
]

const CLICKS: Column<PositionClicks>[] = [
  { name: 'Place', cell: ({ place }) => place },
  { name: 'Clicks', numeric: true, cell: ({ clicks }) => formatNumber(clicks) },
]

/** What readers search, and what they do not find. */
export function SearchActivity({ load }: { load: Load }) {
  const { state, reload } = useLoaded(load, 'maintenance.searches', null)
  return (
    <LoadedSection state={state} reload={reload}>
      {({ days, texts, withoutResult, places }) => {
        const hasSearches = days.some(({ searches }) => searches > 0)
        return (
          <>
            {hasSearches ? (
              <>
                <DayBars
                  label={`Searches of the last ${DAYS} days`}
                  names={['searches', 'without results']}
                  days={fillDays(
                    new Date().toISOString().slice(0, 10),
                    DAYS,
                    days.map(({ day, searches, withoutResult: part }) => ({ day, count: searches, part })),
                  )}
                />
                <DataTable
                  caption="Without results"
                  rows={withoutResult}
                  columns={FAILED}
                  rowKey={({ text }) => text}
                  empty={`Every search in the last ${DAYS} days had results.`}
                />
                <DataTable
                  caption="Most frequent"
                  rows={texts}
                  columns={COLUMNS}
                  rowKey={({ text }) => text}
                  empty={`No query of the last ${DAYS} days is listed.`}
                />
              </>
            ) : (
              <EmptySection
                title="Searches"
                text={`There were no searches in the last ${DAYS} days. Queries are counted here when readers search this site.`}
              />
            )}
            {hasSearches || places.length > 0 ? (
              <DataTable
                caption="Clicks by position of the result"
                rows={places}
                columns={CLICKS}
                rowKey={({ place }) => String(place)}
                empty={`No results were opened in the last ${DAYS} days.`}
              />
            ) : null}
          </>
        )
      }}
    </LoadedSection>
  )
}
