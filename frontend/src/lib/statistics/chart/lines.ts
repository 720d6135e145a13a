// Lines of series as SVG paths.
import { curveLinear, curveMonotoneX } from 'd3-shape'
import type { BinAxis, ChartSeries } from '../../../api/generated'
import { binShare } from './bins'
import { decimate } from './decimate'
import type { ValueScale } from './valueScale'
import { isDrawable } from './valueScale'

/** Paths have whole numbers as coordinates, from 0 to `width` and from 0 at the top to `height`. */
export interface PlotSize {
  width: number
  height: number
}

/** For paths that the browser stretches: a step is a third of a pixel on a wide screen. */
export const PLOT: PlotSize = { width: 4000, height: 2000 }
/** Curves are for few points: they take twice the bytes of straight lines. */
const MOST_CURVED = 400
const MOST_POINTS = 1000
/** A narrower plot has fewer points: one for so many units of its width. */
const UNITS_PER_POINT = 4
/** Where a series has too many points, this share of the limit is drawn: about one for each pixel of a plot. */
const DECIMATED_SHARE = 0.9

/** Whether lines go up and down within pixels. They are thin then, and have no dashes, which would not be visible. */
export function isDense({ count }: Pick<BinAxis, 'count'>): boolean {
  return count > MOST_POINTS
}

/** Paths by style; empty ones draw nothing. `partial` leads to bins that are not complete, `doubtful` to those with gaps. */
export interface LinePaths {
  solid: string
  partial: string
  doubtful: string
  /** Values without neighbors, drawn as round caps of lines without length. */
  dots: string
}

type Style = 'solid' | 'partial' | 'doubtful'

interface Point {
  bin: number
  x: number
  y: number
}

interface Segment {
  style: Style
  from: Point
  to: Point
  /** Coordinates of a Bézier curve's two control points; empty for a straight line. */
  controls: readonly number[]
}

/** `scale` gives null for values that are not drawn: they break the line as missing ones do. */
export function linePaths(
  series: Pick<ChartSeries, 'values' | 'gaps' | 'fixed'>,
  axis: BinAxis,
  scale: ValueScale,
  plot: PlotSize = PLOT,
): LinePaths {
  const styleOf = binStyles(series, axis)
  const paths: LinePaths = { solid: '', partial: '', doubtful: '', dots: '' }
  for (const run of runs(series.values, axis.count, scale, plot)) {
    const points = thinned(run, axis.count, plot, styleOf)
    const [first] = points
    if (first && points.length === 1) paths.dots += `M${first.x} ${first.y}h0`
    else append(paths, segments(points, axis.count < MOST_CURVED, styleOf))
  }
  return paths
}

function binStyles({ gaps, fixed }: Pick<ChartSeries, 'gaps' | 'fixed'>, { partial }: BinAxis): (bin: number) => Style {
  const doubtful = new Set([...gaps, ...fixed])
  const incomplete = new Set(partial)
  return (bin) => (doubtful.has(bin) ? 'doubtful' : incomplete.has(bin) ? 'partial' : 'solid')
}

/** Points between two breaks of the line. */
function* runs(values: ChartSeries['values'], count: number, scale: ValueScale, plot: PlotSize): Generator<Point[]> {
  let run: Point[] = []
  for (let bin = 0; bin < Math.min(count, values.length); bin++) {
    const value = values[bin]
    const share = isDrawable(value) ? scale.share(value) : null
    if (share !== null) {
      run.push({ bin, x: Math.round(binShare(count, bin) * plot.width), y: Math.round((1 - share) * plot.height) })
    } else if (run.length > 0) {
      yield run
      run = []
    }
  }
  if (run.length > 0) yield run
}

/** Fewer points where the chart has many. Points that are drawn in a style of their own stay. */
function thinned(run: Point[], count: number, plot: PlotSize, styleOf: (bin: number) => Style): Point[] {
  const limit = Math.min(MOST_POINTS, plot.width / UNITS_PER_POINT)
  if (count <= limit) return run
  const most = Math.max(3, Math.round((run.length / count) * limit * DECIMATED_SHARE))
  const selected = new Set(decimate(run.map(({ y }) => y), most))
  run.forEach(({ bin }, index) => {
    if (styleOf(bin) !== 'solid') for (const near of [index - 1, index, index + 1]) selected.add(near)
  })
  return run.filter((_, index) => selected.has(index))
}

/** Lines between each point and the next. The curve is computed for the whole run, so that styles join without a bend. */
function segments(points: readonly Point[], curved: boolean, styleOf: (bin: number) => Style): Segment[] {
  const found: Segment[] = []
  const add = (...coordinates: number[]) => {
    const from = points[found.length]
    const to = points[found.length + 1]
    if (!from || !to) return
    const [one, other] = [styleOf(from.bin), styleOf(to.bin)]
    const style = one === 'doubtful' || other === 'doubtful' ? 'doubtful' : one === 'partial' ? one : other
    found.push({ style, from, to, controls: coordinates.slice(0, -2) })
  }
  const recorder = { moveTo: () => undefined, closePath: () => undefined, lineTo: add, bezierCurveTo: add }
  // d3 calls these four methods only; its type is that of a canvas.
  const curve = (curved ? curveMonotoneX : curveLinear)(recorder as unknown as CanvasRenderingContext2D)
  curve.lineStart()
  for (const { x, y } of points) curve.point(x, y)
  curve.lineEnd()
  return found
}

/** Adds segments with coordinates relative to the point before, which have fewer digits. */
function append(paths: LinePaths, list: readonly Segment[]): void {
  let last: Segment | undefined
  for (const segment of list) {
    const { style, from, to, controls } = segment
    if (last?.style !== style) paths[style] += `M${from.x} ${from.y}`
    const relative = [...controls, to.x, to.y].map((value, index) => Math.round(value) - (index % 2 === 0 ? from.x : from.y))
    paths[style] += (controls.length > 0 ? 'c' : 'l') + joined(relative)
    last = segment
  }
}

/** `1-2 3`: a minus separates numbers too. */
function joined(numbers: readonly number[]): string {
  return numbers.map((number, index) => (index > 0 && number >= 0 ? ` ${number}` : `${number}`)).join('')
}
