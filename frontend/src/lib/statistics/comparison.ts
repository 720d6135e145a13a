// Comparisons of packages as search parameters. The server parses them (statistics/comparisons/comparison_query.py); this module writes them.
import { defaultStringifySearch } from '@tanstack/react-router'
import type { Comparison, ComparisonChart, GroupPackage, PackageGroup } from '../../api/generated'

/** Parameters that a comparison depends on, in the order of URLs. The last two are names that older links have. */
const PARAMETERS = [
  'packageGroups',
  'range',
  'binningOption',
  'transform',
  'baseline',
  'showBaseline',
  'normalizeBaseline',
  'facetX',
  'facetY',
  'height',
  'showDataMode',
  'measure',
  'align',
  'scale',
  'fix',
  'mirrors',
  'binType',
] as const

export type ComparisonParameter = (typeof PARAMETERS)[number]
export type SearchRecord = Readonly<Record<string, unknown>>
export type ComparisonSearch = Partial<Record<ComparisonParameter, unknown>>

export const DEFAULT_HEIGHT = 400
export const MIN_HEIGHT = 300
export const MAX_HEIGHT = 2000

/** Values that are not written. */
const DEFAULTS: ComparisonSearch = {
  range: '365-days',
  transform: 'none',
  showBaseline: false,
  normalizeBaseline: true,
  facetX: null,
  facetY: null,
  height: DEFAULT_HEIGHT,
  showDataMode: 'all',
  measure: 'downloads',
  align: 'calendar',
  scale: 'linear',
  fix: 'none',
}

/** The state as search parameters, without those that have their default. */
export function comparisonSearch(comparison: Comparison): ComparisonSearch {
  const { groups, bin, bins, baseline, withoutMirrors, ...same } = comparison
  const values: ComparisonSearch = {
    ...same,
    packageGroups: groups.map(writeGroup),
    // With a range, since the bins of a URL without them depend on it.
    binningOption: bin === 'weekly' && same.range === DEFAULTS.range ? undefined : bin,
    baseline: baseline.length > 1 ? baseline : baseline[0],
    showDataMode: bins,
    mirrors: withoutMirrors ? 'without' : undefined,
  }
  return Object.fromEntries(Object.entries(pickParameters(values)).filter(([name, value]) => value !== defaultOf(name)))
}

function defaultOf(name: string): unknown {
  // Names without a default are not in the record.
  return DEFAULTS[name as ComparisonParameter]
}

function writeGroup({ packages, color }: PackageGroup) {
  return { packages: packages.map(writePackage), ...(color ? { color } : {}) }
}

function writePackage({ name, hidden }: GroupPackage) {
  return hidden ? { name, hidden } : { name }
}

/** The known parameters, in one order. Others, such as those of campaigns, do not change a comparison. */
export function pickParameters(search: SearchRecord): ComparisonSearch {
  const known = PARAMETERS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]]))
  return Object.fromEntries(known)
}

/** The query of a URL, without `?`. */
export function searchText(search: SearchRecord): string {
  return defaultStringifySearch(pickParameters(search)).slice(1)
}

/** The query of a comparison, without `?`. */
export function comparisonQuery(comparison: Comparison): string {
  return searchText(comparisonSearch(comparison))
}

/**
 * What the data of a chart depends on: all parameters but the height, the facets and the digits of colors. A group with a
 * color differs from one without, since the server chooses the color of the latter.
 */
export function dataKey(search: SearchRecord): string {
  const { height: _height, facetX: _facetX, facetY: _facetY, ...others } = pickParameters(search)
  const groups: unknown = others.packageGroups
  return JSON.stringify({ ...others, packageGroups: Array.isArray(groups) ? groups.map(withoutDigits) : groups })
}

function withoutDigits(group: unknown): unknown {
  const color = isRecord(group) ? readColor(group) : null
  return isRecord(group) ? { ...group, color: color ? '#' : group['color'] } : group
}

function isRecord(value: unknown): value is SearchRecord {
  return typeof value === 'object' && value !== null
}

function readColor({ color }: SearchRecord): string | null {
  return typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : null
}

/** The comparison with the height, the facets and the colors of the URL, which the reader changes without new data. */
export function withDisplay(comparison: Comparison, search: SearchRecord): Comparison {
  const { height, facetX, facetY, packageGroups } = search
  const colors = Array.isArray(packageGroups) ? packageGroups.map((group) => (isRecord(group) ? readColor(group) : null)) : []
  return {
    ...comparison,
    groups:
      colors.length === comparison.groups.length
        ? comparison.groups.map((group, index) => ({ ...group, color: colors[index] ?? group.color }))
        : comparison.groups,
    height: typeof height === 'number' ? clampHeight(height) : DEFAULT_HEIGHT,
    facetX: readFacet(facetX),
    facetY: readFacet(facetY),
  }
}

export function clampHeight(height: number): number {
  return Math.min(Math.max(Math.round(height), MIN_HEIGHT), MAX_HEIGHT)
}

/** `name` is the value in later links of the public site. */
function readFacet(value: unknown): 'pkg' | null {
  return value === 'pkg' || value === 'name' ? 'pkg' : null
}

/** The chart in the colors and facets of the comparison. The same object if nothing differs, so that it is not drawn again. */
export function withColors(chart: ComparisonChart, comparison: Comparison): ComparisonChart {
  const { facetX, facetY, groups } = comparison
  const same = chart.comparison.facetX === facetX && chart.comparison.facetY === facetY
  if (chart.series.length !== groups.length) return same ? chart : { ...chart, comparison: { ...chart.comparison, facetX, facetY } }
  const recolored = chart.series.some(({ color }, index) => groups[index]?.color && groups[index].color !== color)
  if (same && !recolored) return chart
  return {
    ...chart,
    comparison: { ...chart.comparison, facetX, facetY },
    series: chart.series.map((series, index) => ({ ...series, color: groups[index]?.color ?? series.color })),
  }
}
