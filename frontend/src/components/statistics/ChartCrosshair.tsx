import { binShare } from '../../lib/statistics/chart/bins'
import type { ChartDrawing, ChartPanel } from '../../lib/statistics/chart/drawing'
import { seriesStyle } from '../../lib/statistics/chart/seriesColors'
import { isDrawable } from '../../lib/statistics/chart/valueScale'
import { percent } from './ChartValues'

interface Props {
  drawing: ChartDrawing
  panel: ChartPanel
  bin: number
  count: number
}

/** A line at a bin, with a dot on each series. */
export function ChartCrosshair({ drawing: { scale }, panel: { lines }, bin, count }: Props) {
  return (
    <div className="chart-crosshair" aria-hidden="true" style={{ left: percent(binShare(count, bin)) }}>
      {lines.map(({ series: { name, color, values } }) => {
        const value = values[bin]
        const share = isDrawable(value) ? scale.share(value) : null
        return share !== null && <span key={name} className="chart-dot" style={{ ...seriesStyle(color), top: percent(1 - share) }} />
      })}
    </div>
  )
}
