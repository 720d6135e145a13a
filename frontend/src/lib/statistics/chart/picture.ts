// Where the parts of a picture are: a chart of fixed size, for READMEs and share images.
import type { ChartSeries, ComparisonChart } from '../../../api/generated'
import { formatDate } from '../../format'
import { binStarts, rangeText } from './bins'
import type { DateTick } from './dateTicks'
import { dateTicks } from './dateTicks'
import type { Layout } from './drawing'
import { drawnSeries, layoutOf, outageBands, scaleOf } from './drawing'
import type { LinePaths } from './lines'
import { linePaths } from './lines'
import { formatShort } from './numbers'
import { fitText, textWidth } from './textWidth'
import type { ValueScale } from './valueScale'
import { isDrawable, valueTicks } from './valueScale'

export type PictureSize = 'full' | 'sparkline' | 'card'

/** Sizes in pixels. Text of 18 px in a picture of 800 px is legible where READMEs show it at half of that. */
interface Design {
  width: number
  height: number
  padding: number
  title: number
  text: number
  lineWidth: number
  legendRows: number
  /** Share of the width that texts leave free: system fonts may be wider than the one that widths are estimated for. */
  spare: number
}

export const DESIGNS: Record<PictureSize, Design> = {
  full: { width: 800, height: 400, padding: 20, title: 24, text: 18, lineWidth: 2.5, legendRows: 3, spare: 0.13 },
  card: { width: 1200, height: 630, padding: 48, title: 44, text: 26, lineWidth: 4, legendRows: 3, spare: 0.02 },
  sparkline: { width: 200, height: 40, padding: 4, title: 0, text: 14, lineWidth: 2, legendRows: 0, spare: 0.13 },
}

/** Paths have ten units in a pixel, so that their coordinates can be whole numbers. */
export const UNITS = 10

/** Facets of a picture. More would be too small to read. */
const MOST_PANELS = 12
const MOST_COLUMNS = 4
/** The lowest height of a panel with its name, in heights of the text. */
const LOWEST_PANEL = 7
const SMALLEST_TITLE = 0.64
const TITLE_SCALES = [1, 0.9, 0.8, SMALLEST_TITLE] as const

/** The size of text in pixels at which labels of values have the distances that charts on pages have. */
const TICK_TEXT = 24

export interface PictureText {
  x: number
  /** Of the baseline. */
  y: number
  text: string
}

export interface LegendEntry extends PictureText {
  series: ChartSeries
}

export interface PictureLine {
  series: ChartSeries
  paths: LinePaths
}

interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

export interface PicturePanel {
  /** The name of its series; null without facets. */
  name: PictureText | null
  /** The rectangle of the lines. */
  plot: Rectangle
  lines: readonly PictureLine[]
  /** Days with wrong counts. */
  bands: readonly { x: number; width: number }[]
  /** Lines of the grid, with labels right-aligned at `x`; the label is empty beside another panel. */
  values: readonly (PictureText & { line: number })[]
  dates: readonly PictureText[]
}

export interface Picture {
  design: Design
  panels: readonly PicturePanel[]
  title: (PictureText & { size: number }) | null
  /** The value axis and the range. */
  subtitle: PictureText | null
  legend: readonly LegendEntry[]
  /** How many series are not in the legend. */
  more: PictureText | null
  source: PictureText | null
  sample: PictureText | null
  /** The last value of a sparkline. */
  last: (PictureText & { series: ChartSeries }) | null
}

export function layOut(chart: ComparisonChart, size: PictureSize): Picture {
  return size === 'sparkline' ? sparkline(chart) : fullPicture(chart, DESIGNS[size])
}

function fullPicture(chart: ComparisonChart, base: Design): Picture {
  const { width, padding, title, text } = base
  const drawn = drawnSeries(chart)
  const layout = drawn.length > 1 ? layoutOf(chart) : 'one'
  const shown = layout === 'one' ? drawn : drawn.slice(0, MOST_PANELS)
  const grid = gridOf(layout, shown.length)
  const starts = binStarts(chart.axis)
  const scale = scaleOf(chart, shown)
  const inner = width - 2 * padding
  const used = 1 - base.spare
  const titleAt = padding + title * 0.8
  const subtitleAt = titleAt + text * 1.45
  const legend = layout === 'one' ? legendOf(shown, base, subtitleAt + text * 1.6) : { entries: [], bottom: subtitleAt, more: null }
  const top = legend.bottom + text * (layout === 'one' ? 1.1 : 0.6)
  const below = base.padding * 0.8 + text * 2.75
  // A README shows pictures of any height, other sites crop a card.
  const height = base === DESIGNS.card ? base.height : Math.max(base.height, top + grid.rows * LOWEST_PANEL * text + below)
  const design = { ...base, height }
  const sourceAt = height - padding * 0.8
  const area = { x: padding, y: top, width: inner - text, height: height - below - top }
  const range = [chart.valueAxis.title + (scale.log ? ' (logarithmic)' : ''), rangeText(chart.axis, starts, chart.lastDay)]
  const sampleText = 'Sample data'
  const sampleWidth = chart.sample ? textWidth(sampleText, text, true) + text : 0
  const left = drawn.length - shown.length
  const asOf = chart.asOf ? ` As of ${formatDate(chart.asOf)}.` : ''
  return {
    design,
    panels: panelsOf(chart, shown, { ...grid, area, starts, scale }, design),
    title: { x: padding, y: titleAt, ...fitTitle(chart.title, title, inner * used) },
    subtitle: { x: padding, y: subtitleAt, text: fitText([...range, left > 0 ? `and ${left} more packages` : ''].filter(Boolean).join(' · '), text, inner * used) },
    legend: legend.entries,
    more: legend.more,
    source: { x: padding, y: sourceAt, text: fitText(chart.source + asOf, text * 0.9, (inner - sampleWidth) * used) },
    sample: chart.sample ? { x: width - padding, y: sourceAt, text: sampleText } : null,
    last: null,
  }
}

interface Grid {
  columns: number
  rows: number
}

/** What all panels share. They fill `area`. */
interface Frame extends Grid {
  area: Rectangle
  starts: readonly Date[]
  scale: ValueScale
}

function gridOf(layout: Layout, count: number): Grid {
  if (layout === 'one' || count === 0) return { columns: 1, rows: 1 }
  const most = { columns: MOST_COLUMNS, rows: 1, grid: Math.ceil(Math.sqrt(count)) }[layout]
  const columns = Math.min(count, most)
  return { columns, rows: Math.ceil(count / columns) }
}

/** All panels have the same scale. Values are at the left ends of rows, dates below the last panel of a column. */
function panelsOf(chart: ComparisonChart, shown: readonly ChartSeries[], frame: Frame, design: Design): PicturePanel[] {
  const { columns, rows, area, starts, scale } = frame
  const { text } = design
  const faceted = columns * rows > 1
  const above = faceted ? text * 1.7 : 0
  const plotHeight = area.height / rows - above
  const ticks = shown.length > 0 ? valueTicks(scale, plotHeight * (TICK_TEXT / text)) : []
  const labels = ticks.map((tick) => formatShort(tick, chart.valueAxis.kind))
  const left = area.x + Math.max(0, ...labels.map((label) => textWidth(label, text))) + text * 0.5
  const gap = faceted ? text : 0
  const plotWidth = (area.x + area.width - left - gap * (columns - 1)) / columns
  const dates = dateTicks(chart.axis, starts, Math.max(2, Math.floor(plotWidth / (text * 5))))
  const panels = faceted ? shown.map((series) => [series]) : [shown]
  return panels.map((members, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)]
    const plot = { x: left + column * (plotWidth + gap), y: area.y + row * (plotHeight + above) + above, width: plotWidth, height: plotHeight }
    const name = faceted ? fitText(members[0]?.label ?? '', text, plotWidth * (1 - design.spare)) : ''
    return {
      name: name ? { x: plot.x, y: plot.y - text * 0.45, text: name } : null,
      plot,
      lines: linesOf(chart, members, scale, plot),
      bands: bandsOf(chart, members, starts, plot),
      values: ticks.map((tick, at) => {
        const line = plot.y + (1 - (scale.share(tick) ?? 0)) * plot.height
        return { x: left - text * 0.5, y: line + text * 0.35, text: column === 0 ? (labels[at] ?? '') : '', line }
      }),
      dates: index + columns >= panels.length ? dateLabels(dates, plot, design) : [],
    }
  })
}

/** A long title is smaller, and cut where that is not enough. */
function fitTitle(title: string, size: number, width: number): { text: string; size: number } {
  const fitting = TITLE_SCALES.map((scale) => scale * size).find((smaller) => textWidth(title, smaller, true) <= width)
  const used = fitting ?? size * SMALLEST_TITLE
  return { text: fitText(title, used, width, true), size: used }
}

function sparkline(chart: ComparisonChart): Picture {
  const design = DESIGNS.sparkline
  const { width, height, padding, text } = design
  const shown = drawnSeries(chart)
  const [first] = shown
  const scale = scaleOf(chart, shown)
  // The last bin may be one that is not complete: it says nothing about the level.
  const value = first?.values.findLast((of, bin) => isDrawable(of) && !chart.axis.partial.includes(bin)) ?? first?.values.findLast(isDrawable)
  const label = isDrawable(value) ? formatShort(value, chart.valueAxis.kind) : ''
  const right = label ? textWidth(label, text, true) / (1 - design.spare) + padding : 0
  const plot = { x: padding, y: padding, width: width - 2 * padding - right, height: height - 2 * padding }
  const none = { legend: [], title: null, subtitle: null, more: null, source: null, sample: null }
  return {
    ...none,
    design,
    panels: [{ name: null, plot, lines: linesOf(chart, shown, scale, plot), bands: [], values: [], dates: [] }],
    last: first && label ? { x: width - padding, y: height / 2 + text * 0.35, text: label, series: first } : null,
  }
}

function linesOf(chart: ComparisonChart, shown: readonly ChartSeries[], scale: ValueScale, plot: Rectangle): PictureLine[] {
  const box = { width: plot.width * UNITS, height: plot.height * UNITS }
  return shown.map((series) => ({ series, paths: linePaths(series, chart.axis, scale, box) }))
}

/** As on pages, a day within a year is too short for a band. */
function bandsOf({ axis, outages }: ComparisonChart, shown: readonly ChartSeries[], starts: readonly Date[], plot: Rectangle): PicturePanel['bands'] {
  if (axis.unit === 'yearly') return []
  return outageBands(outages, shown, starts).map(({ from, to }) => ({
    x: plot.x + from * plot.width,
    width: Math.max(1, (to - from) * plot.width),
  }))
}

/** Centered at their dates, but within the picture. Labels that would overlap are left out. */
function dateLabels(ticks: readonly DateTick[], plot: Rectangle, { text, width, padding }: Design): PictureText[] {
  const labels: PictureText[] = []
  // Half a label may be left of the plot.
  let end = plot.x - text * 3
  for (const tick of ticks) {
    const half = textWidth(tick.text, text) / 2
    const x = Math.min(plot.x + tick.share * plot.width, width - padding * 0.4 - half)
    if (x - half < end) continue
    labels.push({ x, y: plot.y + plot.height + text * 1.4, text: tick.text })
    end = x + half + text * 0.6
  }
  return labels
}

interface Legend {
  entries: LegendEntry[]
  more: PictureText | null
  bottom: number
}

/** Rows of names, from left to right. */
function legendOf(shown: readonly ChartSeries[], { width, padding, text, legendRows }: Design, top: number): Legend {
  const [swatch, gap, leading] = [text * 1.7, text * 1.2, text * 1.5]
  const right = width - padding
  // Space for `and 12 more` at the end of the last row.
  const reserved = textWidth('and 12 more', text) + gap
  const entries: LegendEntry[] = []
  let [x, row] = [padding, 0]
  for (const series of shown) {
    const label = fitText(series.label, text, width * 0.4)
    const wide = swatch + textWidth(label, text)
    const isLast = entries.length === shown.length - 1
    const limit = row === legendRows - 1 && !isLast ? right - reserved : right
    if (x > padding && x + wide > limit) {
      if (row === legendRows - 1) break
      x = padding
      row++
    }
    entries.push({ series, x, y: top + row * leading, text: label })
    x += wide + gap
  }
  const left = shown.length - entries.length
  return { entries, more: left > 0 ? { x, y: top + row * leading, text: `and ${left} more` } : null, bottom: top + row * leading }
}
