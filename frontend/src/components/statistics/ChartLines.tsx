import { memo } from 'react'
import type { BinAxis } from '../../api/generated'
import type { ChartDrawing, ChartPanel, Density, DrawnSeries, OutageBand } from '../../lib/statistics/chart/drawing'
import { PLOT, isDense } from '../../lib/statistics/chart/lines'
import { seriesStyle } from '../../lib/statistics/chart/seriesColors'
import { percent } from './ChartValues'

interface Props {
  drawing: ChartDrawing
  panel: ChartPanel
  axis: BinAxis
  /** Read by screen readers in place of the lines. Empty: they ignore them. */
  summary: string
}

// The server does not know the width: the stylesheet shows one of these.
const DENSITIES: readonly Density[] = ['tiny', 'narrow', 'medium', 'wide']

/** Lines, outages and dates. Memoized: pointing at the chart must not draw them again. */
export const ChartLines = memo(({ drawing: { ticks }, panel: { lines, bands }, axis, summary }: Props) => (
  <>
    <svg
      viewBox={`0 0 ${PLOT.width} ${PLOT.height}`}
      preserveAspectRatio="none"
      className="chart-lines"
      data-dense={isDense(axis) ? '' : undefined}
      {...(summary ? { role: 'img', 'aria-label': summary } : { 'aria-hidden': true })}
    >
      {/* A day within a year is too short for a band. */}
      {axis.unit !== 'yearly' && bands.map((band) => <Band key={`${band.from} ${band.text}`} {...band} />)}
      {lines.map((line) => (
        <Line key={line.series.name} {...line} dashed={!isDense(axis)} />
      ))}
    </svg>
    {bands.map(({ from, to, text }) => (
      <span key={`${from} ${text}`} title={text} className="chart-mark" style={{ left: percent((from + to) / 2) }} />
    ))}
    {DENSITIES.map((density) => (
      <div key={density} className="chart-dates" data-density={density} aria-hidden="true">
        {ticks[density].map(({ share, text }) => (
          <span key={share} className="chart-date" style={{ left: percent(share) }}>
            {text}
          </span>
        ))}
      </div>
    ))}
  </>
))

function Band({ from, to }: OutageBand) {
  const x = Math.round(from * PLOT.width)
  return <rect x={x} y={0} width={Math.round(to * PLOT.width) - x} height={PLOT.height} className="chart-band" />
}

function Line({ series: { color, dash, baseline }, paths: { solid, partial, doubtful, dots }, dashed }: DrawnSeries & { dashed: boolean }) {
  return (
    <g className="chart-line" data-baseline={baseline ? '' : undefined} style={seriesStyle(color)}>
      {solid && <path d={solid} strokeDasharray={(dashed && dash) || undefined} />}
      {partial && <path d={partial} className="chart-partial" />}
      {doubtful && <path d={doubtful} className="chart-doubtful" />}
      {dots && <path d={dots} className="chart-dots" />}
    </g>
  )
}
