import { createFileRoute, notFound } from '@tanstack/react-router'
import type { SearchRecord } from '../../lib/statistics/comparison'
import { dataKey, searchText } from '../../lib/statistics/comparison'

export const Route = createFileRoute('/stats/npm/embed')({
  validateSearch: (search: Record<string, unknown>): SearchRecord => search,
  beforeLoad: ({ context: { shell } }) => {
    if (!shell.features.statistics) throw notFound()
  },
  loaderDeps: ({ search }) => ({ key: dataKey(search) }),
  loader: ({ context, location }) => context.load('npm.comparison', { search: searchText(location.search), packages: '' }),
  head: ({ match: { context }, loaderData }) => ({
    meta: [{ title: `${loaderData?.title} | npm downloads | ${context.shell?.family}` }, { name: 'robots', content: 'noindex' }],
  }),
})
