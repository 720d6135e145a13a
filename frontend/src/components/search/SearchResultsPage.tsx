// The search page, which needs no script: a form, filter links, result links.
import type { ComponentType, ReactNode } from 'react'
import type { FacetChoice, ResultPage, SearchResultsView } from '../../api/generated'
import type { SearchParams } from '../../lib/search/search'
import { kindLabel, searchUrl, MAX_QUERY_LENGTH } from '../../lib/search/search'
import { FrameworkLabel } from '../ui/FrameworkLabel'
import { LibraryName } from './LibraryName'
import { AreaStyles } from '../ui/AreaStyles'
import { Button, LinkButton } from '../ui/Button'
import { Link } from '../ui/Link'
import type { SitePath } from '../../lib/paths'
import { paths, serverPath, withBase } from '../../lib/paths'
import { useShell } from '../ui/useShell'
import { MarkedText } from './MarkedText'
import { NoResults } from './NoResults'
import { ResultRow } from './ResultRow'
import { ResultText } from './ResultText'

const OTHERS_ID = 'Site-other-results'

interface Props {
  params: Partial<SearchParams>
  /** Null for an empty query. */
  results: SearchResultsView | null
  /** Shown in place of results. */
  children: ReactNode
}

export function SearchResultsPage({ params, results, children }: Props) {
  const { q = '', library = '', framework = '', page = 1 } = params
  const { isStatic } = useShell()
  return (
    <div className="search-page" data-loads-app={isStatic ? '' : undefined}>
      <AreaStyles name="search" />
      <h1 className="title">Search</h1>
      <search>
        <form action={withBase(paths.search())}>
          <input
            name="q"
            defaultValue={q}
            aria-label="Search"
            placeholder="Search..."
            maxLength={MAX_QUERY_LENGTH}
            autoComplete="off"
            spellCheck={false}
          />
          {library ? <input type="hidden" name="library" value={library} /> : null}
          {framework ? <input type="hidden" name="framework" value={framework} /> : null}
          <Button type="submit" variant="primary">
            Search
          </Button>
        </form>
      </search>
      {results ? (
        <>
          <FacetLinks
            name="Libraries"
            choices={results.libraries}
            chosen={library}
            Label={LibraryName}
            hrefOf={(id) => searchUrl({ ...params, library: id, page: 1 })}
          />
          <FacetLinks
            name="Frameworks"
            choices={results.frameworks}
            chosen={framework}
            Label={FrameworkLabel}
            hrefOf={(value) => searchUrl({ ...params, framework: value, page: 1 })}
          />
          <ResultLinks params={params} results={results} />
          <ResultPageLinks page={page} pages={results.pages} hrefOf={(to) => searchUrl({ ...params, page: to })} />
        </>
      ) : (
        children
      )}
    </div>
  )
}

interface FacetLinksProps {
  name: string
  choices: FacetChoice[]
  chosen: string
  /** Shows a value of the facet. */
  Label: ComponentType<{ value: string }>
  /** URL of the search with this filter value; an empty value removes the filter. */
  hrefOf: (value: string) => SitePath
}

function FacetLinks({ name, choices, chosen, Label, hrefOf }: FacetLinksProps) {
  if (choices.length === 0) return null
  return (
    <nav aria-label={name}>
      <ul className="chips">
        {choices.map(({ value, count }) => (
          <li key={value}>
            <Link
              className="chip"
              to={hrefOf(value === chosen ? '' : value)}
              aria-current={value === chosen ? 'true' : undefined}
            >
              <Label value={value} /> <small>{count}</small>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function ResultLinks({ params, results }: { params: Partial<SearchParams>; results: SearchResultsView }) {
  const { q = '', library, framework, version } = params
  const isNarrowed = Boolean(library || framework || version)
  const widen = (words: string) => (
    <Link to={searchUrl({ q })} className="text-button">
      {words}
    </Link>
  )
  const { total, found, others } = results
  return (
    <>
      {total > 0 ? (
        <>
          <p className="fine-print">{total === 1 ? '1 result' : `${total} results`}</p>
          <ResultList pages={found} />
        </>
      ) : (
        <NoResults query={q} library={library ?? null} widen={isNarrowed ? widen('search every library') : null} />
      )}
      {others.length > 0 ? (
        <section aria-labelledby={OTHERS_ID}>
          <h2 id={OTHERS_ID} className="result-group-name">
            In other libraries
          </h2>
          <ResultList pages={others} />
        </section>
      ) : null}
      {total > 0 && isNarrowed ? <p className="search-widen">Not what you are looking for? {widen('Search every library')}</p> : null}
    </>
  )
}

function ResultList({ pages }: { pages: readonly ResultPage[] }) {
  return (
    <ol>
      {pages.map((page) => (
        <li key={page.to}>
          <ResultRow
            to={serverPath(page.to)}
            library={page.library}
            title={<MarkedText pieces={page.title} />}
            deprecated={page.deprecated}
            deprecatedPage={page.deprecatedPage}
            trail={page.trail.map((heading, at) => ({ key: `${at} ${heading}`, heading }))}
            text={<ResultText text={page.text} answer={page.answer} />}
            badges={[kindLabel(page.kind)].filter((label) => label !== undefined)}
          />
        </li>
      ))}
    </ol>
  )
}

function ResultPageLinks({ page, pages, hrefOf }: { page: number; pages: number; hrefOf: (page: number) => SitePath }) {
  if (pages < 2) return null
  return (
    <nav className="search-pagination" aria-label="Pages of results">
      {page > 1 ? (
        <LinkButton variant="quiet" to={hrefOf(page - 1)}>
          Previous
        </LinkButton>
      ) : null}
      <span className="fine-print">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <LinkButton variant="quiet" to={hrefOf(page + 1)}>
          Next
        </LinkButton>
      ) : null}
    </nav>
  )
}
