// The search page, which needs no script: a form, filter links, result links.
import type { ReactNode } from 'react'
import type { FacetChoice, TextFragment, SearchResultsView } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import type { SearchParams } from '../../lib/search'
import { searchUrl, MAX_QUERY_LENGTH } from '../../lib/search'
import { LibraryLogo } from '../ui/LibraryLogo'
import { AreaStyles } from '../ui/AreaStyles'
import { Button, LinkButton } from '../ui/Button'
import { Link } from '../ui/Link'
import type { SitePath } from '../../lib/paths'
import { serverPath } from '../../lib/paths'
import { useShell } from '../ui/useShell'

interface Props {
  params: Partial<SearchParams>
  /** Null for an empty query. */
  results: SearchResultsView | null
  /** Shown in place of results. */
  children?: ReactNode
}

export function SearchResultsPage({ params, results, children }: Props) {
  const shell = useShell()
  const { q = '', library = '', framework = '', page = 1 } = params
  return (
    <div className="search-page">
      <AreaStyles name="search" />
      <h1 className="title">Search</h1>
      <search>
        <form action="/search">
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
            labelOf={(id) => shell.libraries.find((entry) => entry.id === id)?.shortName ?? id}
            hrefOf={(id) => searchUrl({ ...params, library: id, page: 1 })}
          />
          <FacetLinks
            name="Frameworks"
            choices={results.frameworks}
            chosen={framework}
            labelOf={(value) => shell.frameworks.find((entry) => entry.value === value)?.label ?? value}
            hrefOf={(value) => searchUrl({ ...params, framework: value, page: 1 })}
          />
          <ResultLinks params={params} results={results} />
          <ResultPageLinks page={page} pages={results.pages} hrefOf={(to) => searchUrl({ ...params, page: to })} />
        </>
      ) : (
        children ?? <p className="lead">Search the docs of every library, or begin where each of them begins.</p>
      )}
    </div>
  )
}

interface FacetLinksProps {
  name: string
  choices: FacetChoice[]
  chosen: string
  labelOf: (value: string) => string
  /** URL of the search with this filter value; an empty value removes the filter. */
  hrefOf: (value: string) => SitePath
}

function FacetLinks({ name, choices, chosen, labelOf, hrefOf }: FacetLinksProps) {
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
              {labelOf(value)} <small>{count}</small>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function ResultLinks({ params, results }: { params: Partial<SearchParams>; results: SearchResultsView }) {
  const shell = useShell()
  if (results.total === 0) {
    const { q = '', library, framework, version } = params
    return (
      <div className="empty-state">
        <h2>No results found</h2>
        <p>Try adjusting your search or filters to find what you're looking for</p>
        {library || framework || version ? (
          <LinkButton to={searchUrl({ q })}>
            Search all libraries and frameworks
          </LinkButton>
        ) : null}
      </div>
    )
  }
  return (
    <>
      <p className="fine-print">{results.total === 1 ? '1 result' : `${results.total} results`}</p>
      <ol>
        {results.found.map((page) => {
          const library = shell.libraries.find((candidate) => candidate.id === page.library)
          return (
            <li key={page.to}>
              <Link to={serverPath(page.to)} className="search-result" style={library && libraryColors(library)}>
                {library ? <LibraryLogo library={library} /> : <span className="library-logo" />}
                <span className="search-result-text">
                  <strong>
                    <HighlightedText pieces={page.title} />
                  </strong>
                  {page.trail.length > 0 ? <span className="search-result-trail">{page.trail.join(' › ')}</span> : null}
                  <span className="search-result-snippet">
                    <HighlightedText pieces={page.text} />
                  </span>
                </span>
                <span className="search-result-badges">
                  {library ? <span className="badge">{library.shortName}</span> : null}
                </span>
              </Link>
            </li>
          )
        })}
      </ol>
    </>
  )
}

function HighlightedText({ pieces }: { pieces: TextFragment[] }) {
  return pieces.map(({ text, found }, at) =>
    // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text have no other key, and never move
    found ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
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
