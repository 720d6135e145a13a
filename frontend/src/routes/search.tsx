import { createFileRoute } from '@tanstack/react-router'
import { SearchResultsPage } from '../components/search/SearchResultsPage'
import { EmptyState } from '../components/search/EmptyState'
import { SearchIntroduction } from '../components/search/SearchIntroduction'
import { QuickLinks } from '../components/shell/QuickLinks'
import { PageLayout } from '../components/shell/PageLayout'
import { pageHead } from '../lib/pageHead'
import { paths } from '../lib/paths'
import type { SearchParams } from '../lib/search/search'
import { parseSearchParams, clampPage } from '../lib/search/search'
import { Button } from '../components/ui/Button'

/** The search page, for browsers without scripts and for sharing: its URL has the whole state. */
export const Route = createFileRoute('/search')({
  validateSearch: (search): Partial<SearchParams> => parseSearchParams(search),
  // Parsed again: the router keeps invalid parameters beside the validated ones.
  loaderDeps: ({ search }) => parseSearchParams(search),
  loader: async ({ context: { load }, deps: { q = '', library = '', framework = '', version = 'latest', page = 1 } }) => {
    if (!q) return { results: null, examples: (await load('search.config', null)).examples }
    const at = (shown: number) => load('search.results', { text: q, library, framework, version, page: shown - 1 })
    const results = await at(page)
    const last = clampPage(results.pages, page)
    return { results: last === page ? results : await at(last), examples: [] }
  },
  head: ({ match: { context, search } }) => {
    const about = pageHead({
      title: `Search | ${context.shell.family}`,
      description: `Search the docs of every ${context.shell.family} library.`,
      origin: context.shell.origin,
      canonical: paths.search(),
    })
    // Results are not pages of their own.
    return search.q ? { ...about, meta: [...about.meta, { name: 'robots', content: 'noindex' }] } : about
  },
  component: Search,
  errorComponent: Unanswered,
})

function Search() {
  const params = Route.useLoaderDeps()
  const { results, examples } = Route.useLoaderData()
  const page = clampPage(results?.pages ?? 0, params.page ?? 1)
  return (
    <PageLayout>
      <SearchResultsPage params={{ ...params, page }} results={results}>
        <SearchIntroduction examples={examples} />
      </SearchResultsPage>
      {results ? null : <QuickLinks />}
    </PageLayout>
  )
}

/** The query stays in the box. The boot script serves the button. */
function Unanswered({ error }: { error: unknown }) {
  const params = Route.useLoaderDeps()
  return (
    <PageLayout>
      <SearchResultsPage params={params} results={null}>
        <EmptyState title="Search is unavailable" text={error instanceof Error ? error.message : String(error)}>
          <Button data-retry="">
            Try again
          </Button>
        </EmptyState>
      </SearchResultsPage>
      <QuickLinks />
    </PageLayout>
  )
}
