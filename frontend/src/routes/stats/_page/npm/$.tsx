import { createFileRoute } from '@tanstack/react-router'
import type { SearchRecord } from '../../../../lib/statistics/comparison'
import { dataKey, searchText } from '../../../../lib/statistics/comparison'
import { comparisonHead } from '../../../../lib/statistics/comparisonHead'
import { loadComparison } from '../../../../lib/statistics/loadComparison'
import { paths } from '../../../../lib/paths'

/** A comparison by the names in its path: `react-vs-vue`. Names may have a scope, and so a slash. */
export const Route = createFileRoute('/stats/_page/npm/$')({
  validateSearch: (search: Record<string, unknown>): SearchRecord => search,
  loaderDeps: ({ search }) => ({ key: dataKey(search) }),
  loader: ({ context, location, params }) => loadComparison(context.load, location.search, params._splat),
  head: ({ match: { context, search }, loaderData, params }) =>
    loaderData
      ? comparisonHead(loaderData.chart, context.shell, searchText(search) ? undefined : paths.namedStatistics(params._splat ?? ''))
      : {},
})
