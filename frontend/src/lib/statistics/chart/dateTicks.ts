// Labels of the date axis: round dates, as many as fit a width.
import { ticks } from 'd3-array'
import { utcDay, utcMonth, utcYear } from 'd3-time'
import type { BinAxis } from '../../../api/generated'
import { formatDate } from '../../format'
import { binPosition, binShare, isoDay } from './bins'

/** `share` is the place between the left (0) and right (1) end. */
export interface DateTick {
  share: number
  text: string
}

interface Interval {
  range(start: Date, stop: Date): Date[]
}

type DateStyle = 'day' | 'month' | 'year'

const DAY_STEPS = [1, 2, 3, 7, 14] as const
const MONTH_STEPS = [1, 2, 3, 6] as const
const YEAR_STEPS = [1, 2, 4, 5, 10, 20, 50] as const
const DAY_MS = 86_400_000

/** At most `most` ticks. `starts` are those of `binStarts`. */
export function dateTicks(axis: BinAxis, starts: readonly Date[], most: number): DateTick[] {
  if (axis.count === 0) return []
  return starts.length === 0 ? countTicks(axis.count, most) : calendarTicks(axis, starts, most)
}

/** Numbers of aligned bins. The first one is 1. */
function countTicks(count: number, most: number): DateTick[] {
  if (count === 1) return [{ share: 0.5, text: '1' }]
  const rounded = ticks(1, count, Math.max(1, most - 1)).filter((number) => Number.isInteger(number))
  return rounded.map((number) => ({ share: binShare(count, number - 1), text: String(number) }))
}

function calendarTicks({ unit, count }: BinAxis, starts: readonly Date[], most: number): DateTick[] {
  const first = starts[0]
  const last = starts[count - 1]
  if (!first || !last) return []
  // With one bin there is no width between dates.
  if (count === 1) return [{ share: 0.5, text: firstText(first, unit === 'yearly' ? 'year' : unit === 'monthly' ? 'month' : 'day') }]
  const stop = new Date(last.getTime() + 1)
  for (const { interval, style } of candidates(first, unit)) {
    const dates = interval.range(first, stop)
    if (dates.length === 0 || dates.length > most) continue
    return dates.map((date, at) => ({ share: binShare(count, binPosition(starts, date)), text: at === 0 ? firstText(date, style) : text(date, style) }))
  }
  return [{ share: 0, text: firstText(first, 'year') }]
}

/** Intervals from the finest to the widest, none finer than the bins. */
function* candidates(first: Date, unit: BinAxis['unit']): Generator<{ interval: Interval; style: DateStyle }> {
  const weekly = unit === 'weekly'
  for (const step of unit === 'daily' || weekly ? DAY_STEPS : []) {
    if (weekly && step < 7) continue
    // Counted from the first bin, so that labels are at the bins.
    const range = (start: Date, stop: Date) => everyDays(first, step).filter((day) => day >= start && day < stop)
    yield { interval: { range }, style: 'day' }
  }
  for (const step of unit === 'yearly' ? [] : MONTH_STEPS) {
    const interval = utcMonth.every(step)
    if (interval) yield { interval, style: 'month' }
  }
  for (const step of YEAR_STEPS) {
    const interval = utcYear.every(step)
    if (interval) yield { interval, style: 'year' }
  }
}

/** More than any axis has labels. */
const MOST_DAYS = 64

function everyDays(first: Date, step: number): Date[] {
  return utcDay.range(first, new Date(first.getTime() + MOST_DAYS * step * DAY_MS), step)
}

/** `Mar 18`, `Mar`, `2025`. January has the number of its year instead. */
function text(date: Date, style: DateStyle): string {
  const [month = '', day = ''] = formatDate(isoDay(date)).split(/[ ,]/)
  if (style === 'day') return `${month} ${day}`
  return style === 'year' || date.getUTCMonth() === 0 ? isoDay(date).slice(0, 4) : month
}

/** The first label says the year. */
function firstText(date: Date, style: DateStyle): string {
  const shown = text(date, style)
  return style === 'month' && date.getUTCMonth() > 0 ? `${shown} ${isoDay(date).slice(0, 4)}` : shown
}
