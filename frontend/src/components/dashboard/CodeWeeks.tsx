import { useState } from 'react'
import type { CodeWeek } from '../../api/generated'
import { formatDate, formatNumber } from '../../lib/format'
import { Select } from '../ui/Select'
import type { Column } from './DataTable'
import { DataTable } from './DataTable'
import { DayBars } from './DayBars'

const WEEKS = 26
const ALL = 'all'

type WeekCounts = Omit<CodeWeek, 'library' | 'version'>

const COLUMNS: Column<WeekCounts>[] = [
  { name: 'Week of', cell: ({ week }) => formatDate(week) },
  { name: 'Checked', numeric: true, cell: ({ checked }) => formatNumber(checked) },
  { name: 'Right', numeric: true, cell: ({ right }) => formatNumber(right) },
  { name: 'Wrong', numeric: true, cell: ({ wrong }) => formatNumber(wrong) },
  { name: 'Not checkable', numeric: true, cell: ({ notCheckable }) => formatNumber(notCheckable) },
  { name: 'Ignored', numeric: true, cell: ({ ignored }) => formatNumber(ignored) },
]

/** Checked and wrong code blocks by week, of all versions or of one. */
export function CodeWeeks({ weeks }: { weeks: readonly CodeWeek[] }) {
  const [chosen, setChosen] = useState(ALL)
  if (weeks.length === 0) return null
  const names = [...new Set(weeks.map(nameOf))]
  const sums = sumByWeek(chosen === ALL ? weeks : weeks.filter((each) => nameOf(each) === chosen))
  const last = weeks.reduce((latest, { week }) => (week > latest ? week : latest), '')
  return (
    <section className="dashboard-section">
      <h2>By week</h2>
      {names.length > 1 ? (
        <div className="dashboard-fields">
          <Select
            label="Version"
            options={[{ value: ALL, label: 'All versions' }, ...names.map((name) => ({ value: name, label: name }))]}
            value={chosen}
            onChange={setChosen}
          />
        </div>
      ) : null}
      <DayBars
        label={`Checked code blocks, last ${WEEKS} weeks`}
        names={['checked', 'wrong']}
        unit="week"
        days={lastWeeks(last, WEEKS).map((week) => {
          const sum = sums.get(week)
          return { day: week, count: sum?.checked ?? 0, part: sum?.wrong ?? 0 }
        })}
      />
      <DataTable
        caption="Code blocks by week"
        rows={[...sums.values()].toReversed()}
        columns={COLUMNS}
        rowKey={({ week }) => week}
        empty="No week is stored."
      />
    </section>
  )
}

function nameOf({ library, version }: CodeWeek): string {
  return `${library} ${version}`
}

/** The sums of each week, the oldest first. */
export function sumByWeek(weeks: readonly CodeWeek[]): Map<string, WeekCounts> {
  const sums = new Map<string, WeekCounts>()
  for (const { week, checked, right, wrong, notCheckable, ignored } of weeks.toSorted((a, b) => a.week.localeCompare(b.week))) {
    const sum = sums.get(week) ?? { week, checked: 0, right: 0, wrong: 0, notCheckable: 0, ignored: 0 }
    sums.set(week, {
      week,
      checked: sum.checked + checked,
      right: sum.right + right,
      wrong: sum.wrong + wrong,
      notCheckable: sum.notCheckable + notCheckable,
      ignored: sum.ignored + ignored,
    })
  }
  return sums
}

/** The Mondays of the weeks up to the last one, which is a Monday. */
export function lastWeeks(last: string, count: number): string[] {
  const end = Date.parse(`${last}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) => new Date(end - (count - 1 - index) * 7 * 24 * 3600 * 1000).toISOString().slice(0, 10))
}
