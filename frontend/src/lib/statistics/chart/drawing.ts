// Everything of a chart that depends neither on its size nor on the pointer.
import type { ChartSeries, ComparisonChart, Outage } from '../../../api/generated'
import { binPosition, binShare, binStarts, parseDay } from './bins'
import type { DateTick } from './dateTicks'
import { dateTicks } from './dateTicks'
import type { LinePaths } from './lines'
import { linePaths } from './lines'
import type { ValueScale } from './valueScale'
import { isDrawable, valueScale } from './valueScale'

/** Labels that fit plots of four widths. Chart.css says which. */
const MOST_TICKS = { tiny: 2, narrow: 4, medium: 7, wide: 12 } as const

export type Density = keyof typeof MOST_TICKS

/** `one`: no facets. The others: a panel for each series. */
export type Layout = 'one' | 'columns' | 'rows' | 'grid'

export interface DrawnSeries {
  series: ChartSeries
  paths: LinePaths
}

/** Days with wrong counts. `from` and `to` are places between the left (0) and right (1) end. */
export interface OutageBand {
  from: number
  to: number
  firstBin: number
  lastBin: number
  text: string
}

export interface ChartPanel {
  /** Of its series; empty without facets. */
  name: string
  lines: readonly DrawnSeries[]
  bands: readonly OutageBand[]
}

export interface ChartDrawing {
  layout: Layout
  starts: readonly Date[]
  scale: ValueScale
  ticks: Readonly<Record<Density, readonly DateTick[]>>
  panels: readonly ChartPanel[]
}

export function drawChart(chart: ComparisonChart): ChartDrawing {
  const { axis, outages } = chart
  const starts = binStarts(axis)
  const shown = drawnSeries(chart)
  const scale = scaleOf(chart, shown)
  const lines = shown.map((series) => ({ series, paths: linePaths(series, axis, scale) }))
  const layout = shown.length > 0 ? layoutOf(chart) : 'one'
  const panel = (name: string, of: DrawnSeries[]): ChartPanel => ({ name, lines: of, bands: outageBands(outages, of.map(({ series }) => series), starts) })
  const ticks = (density: Density) => dateTicks(axis, starts, MOST_TICKS[density])
  return {
    layout,
    starts,
    scale,
    ticks: { tiny: ticks('tiny'), narrow: ticks('narrow'), medium: ticks('medium'), wide: ticks('wide') },
    panels: layout === 'one' ? [panel('', lines)] : lines.map((line) => panel(line.series.name, [line])),
  }
}

/** The series with something to draw. */
export function drawnSeries({ axis, series }: ComparisonChart): ChartSeries[] {
  return series.filter(({ status, values }) => status === 'ready' && values.slice(0, axis.count).some(isDrawable))
}

export function scaleOf({ comparison, valueAxis }: ComparisonChart, shown: readonly ChartSeries[]): ValueScale {
  return valueScale(
    shown.map(({ values }) => values),
    valueAxis.kind,
    comparison.scale === 'log',
  )
}

export function layoutOf({ comparison: { facetX, facetY } }: ComparisonChart): Layout {
  if (facetX) return facetY ? 'grid' : 'columns'
  return facetY ? 'rows' : 'one'
}

/** Outages of all packages, and of those that are drawn. A band covers the points of its bins. */
export function outageBands(outages: readonly Outage[], shown: readonly ChartSeries[], starts: readonly Date[]): OutageBand[] {
  const count = starts.length - 1
  const counted = new Set(shown.flatMap(({ packages }) => packages.filter(({ hidden }) => !hidden).map(({ name }) => name)))
  return outages.flatMap((outage) => {
    const [first, last] = [parseDay(outage.first), parseDay(outage.last)]
    if (count < 1 || !first || !last || (outage.package && !counted.has(outage.package))) return []
    const [firstBin, lastBin] = [Math.floor(binPosition(starts, first)), Math.floor(binPosition(starts, last))]
    if (lastBin < 0 || firstBin >= count) return []
    const within = (bin: number) => Math.min(Math.max(bin, 0), count - 1)
    const place = (bin: number) => Math.min(Math.max(binShare(count, bin), 0), 1)
    return [{ from: place(firstBin - 0.5), to: place(lastBin + 0.5), firstBin: within(firstBin), lastBin: within(lastBin), text: outage.text }]
  })
}

/** The heights of a panel, in CSS pixels. Panels in rows share the height of the chart; others have all of it, or half. */
export function panelHeight(layout: Layout, panels: number, height: number): number {
  if (layout === 'rows') return Math.max(140, Math.round(height / Math.max(1, panels)))
  return layout === 'grid' ? Math.max(180, Math.round(height / 2)) : height
}
