// The bins of a chart: when they begin, what they are called, and where a day is among them.
import { bisectRight } from 'd3-array'
import { utcDay, utcMonth, utcYear } from 'd3-time'
import type { BinAxis, BinUnit } from '../../../api/generated'
import { formatDate } from '../../format'

const DAYS_PER_WEEK = 7
const NAMES = { daily: 'Day', weekly: 'Week', monthly: 'Month', yearly: 'Year' } as const satisfies Record<BinUnit, string>

/** The first days of all bins, and of the one after them. Empty for aligned bins, which have no dates. */
export function binStarts({ unit, first, count, aligned }: BinAxis): Date[] {
  const start = parseDay(first)
  if (aligned || !start) return []
  return Array.from({ length: count + 1 }, (_, bin) => startOf(unit, start, bin))
}

function startOf(unit: BinUnit, first: Date, bin: number): Date {
  switch (unit) {
    case 'daily':
      return utcDay.offset(first, bin)
    case 'weekly':
      return utcDay.offset(first, bin * DAYS_PER_WEEK)
    case 'monthly':
      return utcMonth.offset(first, bin)
    case 'yearly':
      return utcYear.offset(first, bin)
  }
}

/** Midnight UTC of a day such as 2025-03-18; null for anything else. */
export function parseDay(day: string): Date | null {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? null : date
}

/** `2025-03-18`. */
export function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** What a bin is called in a tooltip. `starts` are those of `binStarts`. */
export function binName({ unit }: Pick<BinAxis, 'unit'>, starts: readonly Date[], bin: number): string {
  const start = starts[bin]
  if (!start) return `${NAMES[unit]} ${bin + 1} after the first release`
  const day = formatDate(isoDay(start))
  switch (unit) {
    case 'daily':
      return day
    case 'weekly':
      return `Week of ${day}`
    case 'monthly':
      return day.replace(/ \d+,/, '')
    case 'yearly':
      return isoDay(start).slice(0, 4)
  }
}

/** The range in words: from the first day of the first bin to the last day with data, or to that of the last bin. */
export function rangeText({ unit, count, aligned }: BinAxis, starts: readonly Date[], lastDay: string | null): string {
  if (count === 0) return ''
  if (aligned) return `${NAMES[unit]}s after the first release`
  const [first] = starts
  const end = starts.at(-1)
  if (!first || !end) return ''
  const lastOfBins = isoDay(utcDay.offset(end, -1))
  const last = lastDay && lastDay < lastOfBins ? lastDay : lastOfBins
  const from = isoDay(first)
  return from >= last ? formatDate(from) : `${formatDate(from)} to ${formatDate(last)}`
}

/** The number of the bin that has the day, with the part of it that has passed. The day may be outside of all bins. */
export function binPosition(starts: readonly Date[], day: Date): number {
  const bin = Math.min(Math.max(bisectRight(starts, day) - 1, 0), starts.length - 2)
  const start = starts[bin]?.getTime() ?? 0
  const end = starts[bin + 1]?.getTime() ?? start + 1
  return bin + (day.getTime() - start) / (end - start)
}

/** Where a bin is between the left and right end, 0 to 1. A single bin is in the middle. */
export function binShare(count: number, bin: number): number {
  return count > 1 ? bin / (count - 1) : 0.5
}

/** The bin nearest to a place between the left (0) and right (1) end. */
export function nearestBin(count: number, share: number): number {
  return Math.min(Math.max(Math.round(share * (count - 1)), 0), Math.max(count - 1, 0))
}
