import { createFileRoute } from '@tanstack/react-router'
import type { SearchRecord } from '../../../../lib/statistics/comparison'
import { dataKey, searchText } from '../../../../lib/statistics/comparison'
import { comparisonHead } from '../../../../lib/statistics/comparisonHead'
import { loadComparison } from '../../../../lib/statistics/loadComparison'
import { paths } from '../../../../lib/paths'

export const Route = createFileRoute('/stats/_page/npm/')({
  // The server parses the parameters.
  validateSearch: (search: Record<string, unknown>): SearchRecord => search,
  loaderDeps: ({ search }) => ({ key: dataKey(search) }),
  loader: ({ context, location }) => loadComparison(context.load, location.search),
  head: ({ match: { context, search }, loaderData }) =>
    loaderData ? comparisonHead(loaderData.chart, context.shell, searchText(search) ? undefined : paths.statistics()) : {},
})
