// What a chart shows at one bin: for the tooltip, and in words for screen readers.
import type { BinUnit, ChartSeries, ComparisonChart } from '../../../api/generated'
import { formatList } from '../../format'
import { binName } from './bins'
import type { ChartDrawing } from './drawing'
import { formatExact } from './numbers'
import { isDrawable } from './valueScale'

export interface ReadingRow {
  series: ChartSeries
  value: number
  text: string
}

export interface Reading {
  /** Of the bin. */
  name: string
  /** The largest value first. */
  rows: readonly ReadingRow[]
  /** Sentences on what is wrong with the values. */
  notes: readonly string[]
}

const NOUNS = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' } as const satisfies Record<BinUnit, string>

export function readBin({ axis, valueAxis }: ComparisonChart, { panels, starts }: ChartDrawing, bin: number): Reading {
  const rows = panels
    .flatMap(({ lines }) => lines)
    .flatMap(({ series }) => {
      const value = series.values[bin]
      return isDrawable(value) ? [{ series, value, text: formatExact(value, valueAxis.kind) }] : []
    })
    .toSorted((one, other) => other.value - one.value)
  const outages = panels.flatMap(({ bands }) => bands.filter(({ firstBin, lastBin }) => firstBin <= bin && bin <= lastBin))
  const notes = [
    ...(axis.partial.includes(bin) ? [`This ${NOUNS[axis.unit]} is not complete.`] : []),
    ...about(rows, ({ gaps }) => gaps.includes(bin), 'Days are missing'),
    ...about(rows, ({ fixed }) => fixed.includes(bin), 'Scaled up for missing days'),
    ...outages.map(({ text }) => text),
  ]
  return { name: binName(axis, starts, bin), rows, notes: [...new Set(notes)] }
}

/** A sentence on the series that it is true of. */
function about(rows: readonly ReadingRow[], isTrue: (series: ChartSeries) => boolean, words: string): string[] {
  const named = rows.filter(({ series }) => isTrue(series))
  if (named.length === 0) return []
  return [named.length === rows.length ? `${words}.` : `${words}: ${formatList(named.map(({ series }) => series.label))}.`]
}

/** Week of Mar 18, 2025: react 1,234, vue 567. This week is not complete. */
export function inWords({ name, rows, notes }: Reading): string {
  const values = rows.map(({ series, text }) => `${series.label} ${text}`).join(', ') || 'no data'
  return [`${name}: ${values}.`, ...notes].join(' ')
}
