// Loads a comparison for a page.
import type { Load } from '../../api/call'
import type { ComparisonChart, VersionAdoption } from '../../api/generated'
import type { SearchRecord } from './comparison'
import { dataKey, searchText } from './comparison'

/** Versions of the first package of a chart; null if no week is recorded. */
export interface FirstAdoption {
  name: string
  versions: VersionAdoption | null
}

export interface LoadedComparison {
  chart: ComparisonChart
  /** The `dataKey` of the search that the chart was loaded for. */
  loadedKey: string
  /** On a page from the server. */
  adoption: FirstAdoption | null
}

/** `packages` is the end of a path such as `react-vs-vue`. */
export async function loadComparison(load: Load, search: SearchRecord, packages = ''): Promise<LoadedComparison> {
  const chart = await load('npm.comparison', { search: searchText(search), packages })
  return { chart, loadedKey: dataKey(search), adoption: isFirstPage() ? await firstVersions(load, chart) : null }
}

/** Later comparisons do not wait for versions: the page loads them when it shows the chart. */
function isFirstPage(): boolean {
  return typeof window === 'undefined' || !window.__kinfolk.hydrated
}

async function firstVersions(load: Load, { series }: ComparisonChart): Promise<FirstAdoption | null> {
  const first = series.find(({ status }) => status === 'ready')
  return first ? { name: first.name, versions: await loadVersions(load, first.name) } : null
}

/** Null for a package without recorded weeks, and if they cannot be read: the rest of the page does not need them. */
export async function loadVersions(load: Load, name: string): Promise<VersionAdoption | null> {
  return load('npm.versions', { name }).catch(() => null)
}
