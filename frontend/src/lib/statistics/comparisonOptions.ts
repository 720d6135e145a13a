// What the controls of a comparison offer.
import type { Alignment, BinUnit, Comparison, ComparisonChoices, Measure, RangeName, Scale, Transform } from '../../api/generated'
import { allowedBins } from './comparisonEdits'

export interface Option<Value extends string = string> {
  value: Value
  label: string
}

export const RANGES: readonly Option<RangeName>[] = [
  { value: '7-days', label: '7 days' },
  { value: '30-days', label: '30 days' },
  { value: '90-days', label: '90 days' },
  { value: '180-days', label: '6 months' },
  { value: '365-days', label: '1 year' },
  { value: '730-days', label: '2 years' },
  { value: '1825-days', label: '5 years' },
  { value: 'all-time', label: 'All time' },
]

const BINS: readonly Option<BinUnit>[] = [
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
  { value: 'yearly', label: 'Yearly' },
]

export const TRANSFORMS: readonly Option<Transform>[] = [
  { value: 'none', label: 'Actual values' },
  { value: 'normalize-y', label: 'Relative change' },
]

const MEASURES: readonly Option<Measure>[] = [
  { value: 'downloads', label: 'Downloads' },
  { value: 'cumulative', label: 'Cumulative downloads' },
  { value: 'share', label: 'Share of npm' },
  { value: 'year-over-year', label: 'Change over a year' },
  { value: 'stars', label: 'GitHub stars' },
]

export const FACETS: readonly Option<'' | 'pkg'>[] = [
  { value: '', label: 'No facet' },
  { value: 'pkg', label: 'Package' },
]

export const SCALES: readonly Option<Scale>[] = [
  { value: 'linear', label: 'Linear' },
  { value: 'log', label: 'Logarithmic' },
]

export const ALIGNMENTS: readonly Option<Alignment>[] = [
  { value: 'calendar', label: 'Calendar' },
  { value: 'first-release', label: 'First release' },
]

/** The bins that the range allows. */
export function binOptions(range: RangeName): Option<BinUnit>[] {
  return BINS.filter(({ value }) => allowedBins(range).includes(value))
}

/** The measures that have data, and the chosen one. */
export function measureOptions({ measure }: Comparison, { hasStars, hasRegistry }: ComparisonChoices): Option<Measure>[] {
  const missing = new Set<Measure>([...(hasStars ? [] : ['stars' as const]), ...(hasRegistry ? [] : ['share' as const])])
  return MEASURES.filter(({ value }) => value === measure || !missing.has(value))
}

/** How many of the rarer options differ from their default. */
export function countChangedOptions(comparison: Comparison): number {
  const { facetX, facetY, scale, align, bins, fix, withoutMirrors, baseline } = comparison
  const changed = [facetX, facetY, scale !== 'linear', align !== 'calendar', bins !== 'all', fix !== 'none', withoutMirrors, baseline.length > 1]
  return changed.filter(Boolean).length
}

const UNITS: Readonly<Record<BinUnit, string>> = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' }

/** What one bin is. */
export function binNoun(unit: BinUnit): string {
  return UNITS[unit]
}
