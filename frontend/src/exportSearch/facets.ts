// Facets of a search in the browser.
import type { EngineQuery, StaticEngine } from './engine'
import type { StaticRecord } from './records'

export interface FacetCount {
  value: string
  count: number
}

/** The values of a facet with their numbers of pages, without the filter by this facet. */
export function countFacets(engine: StaticEngine, query: EngineQuery, facet: 'library' | 'framework'): FacetCount[] {
  const counts = new Map<string, number>()
  for (const { record } of engine.search({ ...query, [facet]: [] })) {
    const values = facet === 'library' ? [record.library].flat() : engine.frameworksOf(record)
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((one, other) => other.count - one.count || one.value.localeCompare(other.value))
}

/** The address of a record for the first of these frameworks that has the text. */
export function placeOf({ url, variants = {}, about = [] }: StaticRecord, frameworks: readonly string[]): string {
  for (const name of frameworks) {
    if (about.includes(name) && !(name in variants)) return url
    const place = variants[name]
    if (place) return place
  }
  return url
}
