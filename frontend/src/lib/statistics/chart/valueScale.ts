// Scales of values: linear from zero, logarithmic without zero, and per cent with a sign.
import { nice, ticks } from 'd3-array'
import type { ValueAxis } from '../../../api/generated'

/** Bounds of a linear scale are multiples of a step that divides it into about this many parts. */
const PARTS = 5
const PX_PER_TICK = 64
const MAX_DECADES_WITH_HALVES = 2
const MANTISSAS = [1, 2, 5] as const
/** Beyond it, sums and products of values overflow. */
const MAX_VALUE = 1e300
/** Below it, powers of ten are zero. */
const MIN_POSITIVE = 1e-300

export interface ValueScale {
  log: boolean
  low: number
  high: number
  /** Where a value is between the bottom (0) and the top (1). Null for a value that the scale lacks. */
  share(value: number): number | null
}

/** A value that can be drawn: finite, and not absurd. */
export function isDrawable(value: number | null | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) <= MAX_VALUE
}

/** A logarithmic scale where `log` is wanted and some values are positive. */
export function valueScale(lists: Iterable<readonly (number | null)[]>, kind: ValueAxis['kind'], log: boolean): ValueScale {
  let [least, leastPositive, most] = [0, Infinity, 0]
  for (const values of lists) {
    for (const value of values) {
      if (!isDrawable(value)) continue
      if (value < least) least = value
      if (value > most) most = value
      if (value >= MIN_POSITIVE && value < leastPositive) leastPositive = value
    }
  }
  return log && kind !== 'signed-percent' && most >= MIN_POSITIVE ? logScale(leastPositive, most) : linearScale(least, most)
}

function linearScale(least: number, most: number): ValueScale {
  const [low, high] = least === most ? [0, 1] : nice(least, most, PARTS)
  return { log: false, low, high, share: (value) => (value - low) / (high - low) }
}

function logScale(least: number, most: number): ValueScale {
  const low = roundedDown(least)
  const up = roundedUp(most)
  const high = up > low ? up : low * 10
  const [from, range] = [Math.log10(low), Math.log10(high) - Math.log10(low)]
  return { log: true, low, high, share: (value) => (value >= MIN_POSITIVE ? (Math.log10(value) - from) / range : null) }
}

/** Values for the lines of the grid, few enough for a plot of this height in pixels. */
export function valueTicks(scale: ValueScale, heightPx: number): number[] {
  const most = Math.max(2, Math.round(heightPx / PX_PER_TICK))
  return scale.log ? logTicks(scale, most) : ticks(scale.low, scale.high, most)
}

function logTicks({ low, high }: ValueScale, most: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  const mantissas = Math.log10(high / low) <= MAX_DECADES_WITH_HALVES ? MANTISSAS : ([1] as const)
  const step = Math.max(1, Math.ceil((last - first) / most))
  const found: number[] = []
  for (let decade = first; decade <= last; decade += step) {
    for (const mantissa of mantissas) found.push(mantissa * 10 ** decade)
  }
  const within = found.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001)
  return within.length > 1 ? within : [low, high]
}

function roundedDown(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value))
  return (MANTISSAS.findLast((mantissa) => mantissa * decade <= value * 1.000001) ?? 1) * decade
}

function roundedUp(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value))
  return (MANTISSAS.find((mantissa) => mantissa * decade >= value * 0.999999) ?? 10) * decade
}
