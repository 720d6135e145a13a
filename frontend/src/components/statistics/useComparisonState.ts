import { useEffect, useMemo, useRef, useState } from 'react'
import type { Comparison, ComparisonChart } from '../../api/generated'
import type { ComparisonSearch, SearchRecord } from '../../lib/statistics/comparison'
import { comparisonSearch, dataKey, searchText, withColors, withDisplay } from '../../lib/statistics/comparison'
import type { Change } from './ComparisonContext'

/** Comparisons of one page that are remembered by their query. */
const MAX_WRITTEN = 50

interface Source {
  chart: ComparisonChart
  /** The `dataKey` of the search that the chart was loaded for. */
  loadedKey: string
  /** The search of the URL. */
  search: SearchRecord
  navigate: (search: ComparisonSearch, how?: 'replace') => void
}

/**
 * The comparison of the URL. Until the chart of a new URL has arrived with its parsed state, it is the one that this page
 * wrote into the URL, so that two quick changes both count.
 */
export function useComparisonState({ chart: loaded, loadedKey, search, navigate }: Source) {
  const [written] = useState(() => new Map<string, Comparison>())
  const query = searchText(search)
  const comparison = useMemo(
    () => (loadedKey === dataKey(search) ? null : written.get(query)) ?? withDisplay(loaded.comparison, search),
    [loaded, loadedKey, search, query, written],
  )
  const chart = useStableChart(loaded, comparison)
  const latest = useRef(comparison)
  useEffect(() => {
    latest.current = comparison
  }, [comparison])
  const change = (update: Change, how?: 'replace') => {
    const next = update(latest.current)
    if (next === latest.current) return
    latest.current = next
    const nextSearch = comparisonSearch(next)
    if (written.size >= MAX_WRITTEN) written.clear()
    written.set(searchText(nextSearch), next)
    navigate(nextSearch, how)
  }
  return { comparison, chart, change }
}

/** A new height alone does not make a new chart, which would be computed again. */
function useStableChart(loaded: ComparisonChart, { groups, facetX, facetY }: Comparison): ComparisonChart {
  const colors = groups.map(({ color }) => color).join()
  return useMemo(
    () => withColors(loaded, { ...loaded.comparison, groups, facetX, facetY }),
    // oxlint-disable-next-line react/exhaustive-deps -- of the groups only their colors count
    [loaded, colors, facetX, facetY],
  )
}
