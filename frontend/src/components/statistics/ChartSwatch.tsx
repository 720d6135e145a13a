import type { ChartSeries } from '../../api/generated'
import { seriesStyle } from '../../lib/statistics/chart/seriesColors'

/** A short line in the color and dash pattern of a series. */
export function ChartSwatch({ color, dash }: Pick<ChartSeries, 'color' | 'dash'>) {
  return (
    <svg viewBox="0 0 22 10" aria-hidden="true" className="chart-swatch" style={seriesStyle(color)}>
      <path d="M1 5h20" strokeDasharray={dash || undefined} />
    </svg>
  )
}
