import type { CSSProperties } from 'react'
import type { Reading } from '../../lib/statistics/chart/reading'
import { ChartSwatch } from './ChartSwatch'

interface Props {
  reading: Reading
  /** The place of the bin between the left (0) and right (1) end. */
  share: number
  /** The half of the window that the panel is in. */
  edge: 'left' | 'right'
  /** The series of the panel; empty without facets. */
  current: string
}

interface TooltipStyle extends CSSProperties {
  '--share': number
}

/** More rows than that are in two columns. */
const ONE_COLUMN = 16

/** All values at a bin. Screen readers get them as the value of the slider. */
export function ChartTooltip({ reading: { name, rows, notes }, share, edge, current }: Props) {
  const style: TooltipStyle = { '--share': share }
  return (
    <div className="chart-tooltip" data-side={share > 0.5 ? 'left' : 'right'} data-edge={edge} aria-hidden="true" style={style}>
      <p className="chart-tooltip-date">{name}</p>
      {rows.length === 0 && <p>No data</p>}
      <div className="chart-rows" data-long={rows.length > ONE_COLUMN ? '' : undefined}>
        {rows.map(({ series, text }) => (
          <p key={series.name} className="chart-row" data-current={series.name === current ? '' : undefined}>
            <ChartSwatch color={series.color} dash={series.dash} />
            <span className="chart-row-name">{series.label}</span>
            <span className="chart-row-value">{text}</span>
          </p>
        ))}
      </div>
      {notes.map((note) => (
        <p key={note} className="chart-note">
          {note}
        </p>
      ))}
    </div>
  )
}
