// Where the parts of a picture are: a chart of fixed size, for READMEs and share images.
import type { ChartSeries, ComparisonChart } from '../../api/generated'
import { formatDate } from '../format'
import { binStarts, rangeText } from './bins'
import type { DateTick } from './dateTicks'
import { dateTicks } from './dateTicks'
import { drawnSeries, outageBands, scaleOf } from './drawing'
import type { LinePaths } from './lines'
import { linePaths } from './lines'
import { formatShort } from './numbers'
import { fitText, textWidth } from './textWidth'
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

export interface Picture {
  design: Design
  /** The rectangle of the lines. */
  plot: { x: number; y: number; width: number; height: number }
  lines: readonly PictureLine[]
  /** Days with wrong counts. */
  bands: readonly { x: number; width: number }[]
  /** Left ends of lines of the grid, with their labels right-aligned at `x`. */
  values: readonly (PictureText & { line: number })[]
  dates: readonly PictureText[]
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

function fullPicture(chart: ComparisonChart, design: Design): Picture {
  const { width, height, padding, title, text } = design
  const shown = drawnSeries(chart)
  const starts = binStarts(chart.axis)
  const inner = width - 2 * padding
  const used = 1 - design.spare
  const titleAt = padding + title * 0.8
  const subtitleAt = titleAt + text * 1.45
  const legend = legendOf(shown, design, subtitleAt + text * 1.6)
  const top = legend.bottom + text * 1.1
  const sourceAt = height - padding * 0.8
  const plotBottom = sourceAt - text * 2.75
  const scale = scaleOf(chart, shown)
  const ticks = shown.length > 0 ? valueTicks(scale, (plotBottom - top) * (TICK_TEXT / text)) : []
  const labels = ticks.map((tick) => formatShort(tick, chart.valueAxis.kind))
  const gutter = Math.max(0, ...labels.map((label) => textWidth(label, text)))
  const left = padding + gutter + text * 0.5
  const plot = { x: left, y: top, width: width - padding - text - left, height: plotBottom - top }
  const range = [chart.valueAxis.title + (scale.log ? ' (logarithmic)' : ''), rangeText(chart.axis, starts, chart.lastDay)]
  const sampleText = 'Sample data'
  const sampleWidth = chart.sample ? textWidth(sampleText, text, true) + text : 0
  const asOf = chart.asOf ? ` As of ${formatDate(chart.asOf)}.` : ''
  return {
    design,
    plot,
    lines: linesOf(chart, shown, scale, plot),
    bands: bandsOf(chart, shown, starts, plot),
    values: ticks.map((tick, index) => {
      const line = plot.y + (1 - (scale.share(tick) ?? 0)) * plot.height
      return { x: left - text * 0.5, y: line + text * 0.35, text: labels[index] ?? '', line }
    }),
    dates: dateLabels(dateTicks(chart.axis, starts, Math.max(2, Math.floor(plot.width / (text * 5)))), plot, design),
    title: { x: padding, y: titleAt, ...fitTitle(chart.title, title, inner * used) },
    subtitle: { x: padding, y: subtitleAt, text: fitText(range.filter(Boolean).join(' · '), text, inner * used) },
    legend: legend.entries,
    more: legend.more,
    source: { x: padding, y: sourceAt, text: fitText(chart.source + asOf, text * 0.9, (inner - sampleWidth) * used) },
    sample: chart.sample ? { x: width - padding, y: sourceAt, text: sampleText } : null,
    last: null,
  }
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
  const none = { bands: [], values: [], dates: [], legend: [], title: null, subtitle: null, more: null, source: null, sample: null }
  return {
    ...none,
    design,
    plot,
    lines: linesOf(chart, shown, scale, plot),
    last: first && label ? { x: width - padding, y: height / 2 + text * 0.35, text: label, series: first } : null,
  }
}

function linesOf(chart: ComparisonChart, shown: readonly ChartSeries[], scale: Parameters<typeof linePaths>[2], plot: Picture['plot']): PictureLine[] {
  const box = { width: plot.width * UNITS, height: plot.height * UNITS }
  return shown.map((series) => ({ series, paths: linePaths(series, chart.axis, scale, box) }))
}

/** As on pages, a day within a year is too short for a band. */
function bandsOf({ axis, outages }: ComparisonChart, shown: readonly ChartSeries[], starts: readonly Date[], plot: Picture['plot']): Picture['bands'] {
  if (axis.unit === 'yearly') return []
  return outageBands(outages, shown, starts).map(({ from, to }) => ({
    x: plot.x + from * plot.width,
    width: Math.max(1, (to - from) * plot.width),
  }))
}

/** Centered at their dates, but within the picture. Labels that would overlap are left out. */
function dateLabels(ticks: readonly DateTick[], plot: Picture['plot'], { text, width, padding }: Design): PictureText[] {
  const labels: PictureText[] = []
  let end = 0
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
