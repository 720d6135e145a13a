import { createFileRoute } from '@tanstack/react-router'
import { Answers } from '../components/search/Answers'
import { Words } from '../components/search/Words'
import { Places } from '../components/shell/Places'
import { Site } from '../components/shell/Site'
import { head } from '../lib/meta'
import { paths } from '../lib/paths'
import type { Asked } from '../lib/search'
import { askedIn, pageAmong } from '../lib/search'

/** The search for those without a script, and to pass on: everything it shows stands in its address. */
export const Route = createFileRoute('/search')({
  validateSearch: (search): Partial<Asked> => askedIn(search),
  // Once more: among what is valid the router leaves what is not.
  loaderDeps: ({ search }) => askedIn(search),
  loader: async ({ context: { load }, deps: { q = '', library = '', framework = '', version = 'latest', page = 1 } }) => {
    if (!q) return null
    const at = (shown: number) => load('search.results', { text: q, library, framework, version, page: shown - 1 })
    const results = await at(page)
    const last = pageAmong(results.pages, page)
    return last === page ? results : at(last)
  },
  head: ({ match: { context } }) => {
    const about = head({
      title: `Search | ${context.shell.family}`,
      description: `Search the docs of every ${context.shell.family} library.`,
      origin: context.shell.origin,
      canonical: paths.search(),
    })
    return { ...about, meta: [...about.meta, { name: 'robots', content: 'noindex' }] }
  },
  component: Search,
  errorComponent: Unanswered,
})

function Search() {
  const { shell } = Route.useRouteContext()
  const asked = Route.useLoaderDeps()
  const results = Route.useLoaderData()
  const page = pageAmong(results?.pages ?? 0, asked.page ?? 1)
  return (
    <Site shell={shell}>
      <Answers shell={shell} asked={{ ...asked, page }} results={results} />
      {results?.total ? null : <Places shell={shell} />}
    </Site>
  )
}

/** What was asked stays in the box. The button is served by the starter. */
function Unanswered({ error }: { error: unknown }) {
  const { shell } = Route.useRouteContext()
  const asked = Route.useLoaderDeps()
  return (
    <Site shell={shell}>
      <Answers shell={shell} asked={asked} results={null}>
        <Words title="The search cannot answer now" text={error instanceof Error ? error.message : String(error)}>
          <button type="button" data-retry="" className="button">
            Try again
          </button>
        </Words>
      </Answers>
      <Places shell={shell} />
    </Site>
  )
}
