import { memo } from 'react'
import type { ChartPanel } from '../../lib/statistics/chart/drawing'
import { endLabels } from '../../lib/statistics/chart/endLabels'
import { seriesStyle } from '../../lib/statistics/chart/seriesColors'
import type { ValueScale } from '../../lib/statistics/chart/valueScale'
import { percent } from './ChartValues'

interface Props {
  panel: ChartPanel
  scale: ValueScale
  count: number
  /** Of the plot. */
  heightPx: number
}

/** The names of the series at the ends of their lines. The stylesheet shows them where there is width. */
export const ChartEnds = memo(({ panel, scale, count, heightPx }: Props) => (
  <div className="chart-ends" aria-hidden="true">
    {endLabels(panel.lines, count, scale, heightPx).map(({ name, label, color, top }) => (
      <span key={name} className="chart-end" style={{ ...seriesStyle(color), top: percent(top) }}>
        {label}
      </span>
    ))}
  </div>
))
