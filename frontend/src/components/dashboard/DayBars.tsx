import { formatDate, formatNumber } from '../../lib/format'

export interface DayCount {
  /** A date: 2026-11-23. */
  day: string
  count: number
  /** The part of the count that is drawn in another color. */
  part: number
}

interface Props {
  label: string
  /** What is counted, and what the part is: for the legend and screen readers. */
  names: [string, string]
  days: readonly DayCount[]
  /** What a bar is of. A week is named by its first day. */
  unit?: 'day' | 'week'
}

const HEIGHT = 90
const WIDTH = 600

/** Counts by day or week as bars, of which at least one is not zero. The table with the same numbers is for screen readers. */
export function DayBars({ label, names: [whole, part], days, unit = 'day' }: Props) {
  const most = Math.max(1, ...days.map(({ count }) => count))
  const step = WIDTH / Math.max(days.length, 1)
  return (
    <figure className="day-bars">
      <figcaption>
        {label} <span className="day-bars-most">{`at most ${formatNumber(most)} a ${unit}`}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ day, count, part: some }, index) => (
          <g key={day} transform={`translate(${index * step})`}>
            <title>{`${formatDate(day)}: ${formatNumber(count)} ${whole}, ${formatNumber(some)} ${part}`}</title>
            <rect width={step} height={HEIGHT} fill="transparent" />
            <Bar width={step} count={count} most={most} className="day-bar" />
            <Bar width={step} count={some} most={most} className="day-bar-part" />
          </g>
        ))}
      </svg>
      <p className="day-bars-legend">
        <span className="day-bars-key" /> {whole} <span className="day-bars-key day-bars-key-part" /> {part}
      </p>
      {/* A table is as wide as its words: only what contains it can be clipped. */}
      <div className="sr-only">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{unit === 'day' ? 'Day' : 'Week of'}</th>
              <th scope="col">{whole}</th>
              <th scope="col">{part}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, count, part: some }) => (
              <tr key={day}>
                <th scope="row">{formatDate(day)}</th>
                <td>{count}</td>
                <td>{some}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

function Bar({ width, count, most, className }: { width: number; count: number; most: number; className: string }) {
  const height = (count / most) * (HEIGHT - 4)
  return <rect x={width * 0.12} width={width * 0.76} y={HEIGHT - height} height={height} className={className} />
}

/** All days from the first to the last, those without an entry with zero. Dates are in UTC. */
export function fillDays(last: string, count: number, found: readonly DayCount[]): DayCount[] {
  const byDay = new Map(found.map((each) => [each.day, each]))
  const end = Date.parse(`${last}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(end - (count - 1 - index) * 24 * 3600 * 1000).toISOString().slice(0, 10)
    return byDay.get(day) ?? { day, count: 0, part: 0 }
  })
}
