// A page of results that needs no script: a form, links to narrow it, links to the pages.
import type { ReactNode } from 'react'
import type { Choice, Piece, Results, Shell } from '../../api/generated'
import { hue } from '../../lib/hue'
import type { Asked } from '../../lib/search'
import { asking, LONGEST_QUERY } from '../../lib/search'
import { LibraryMark } from '../ui/LibraryMark'
import { Styles } from '../ui/Styles'

interface Props {
  shell: Shell
  asked: Partial<Asked>
  /** None where nothing was asked. */
  results: Results | null
  /** What stands where results would stand, where the search has none to give. */
  children?: ReactNode
}

export function Answers({ shell, asked, results, children }: Props) {
  const { q = '', library = '', framework = '', page = 1 } = asked
  return (
    <div className="search-page">
      <Styles name="search" />
      <h1 className="title">Search</h1>
      <search>
        <form action="/search">
          <input
            name="q"
            defaultValue={q}
            aria-label="Search"
            placeholder="Search..."
            maxLength={LONGEST_QUERY}
            autoComplete="off"
            spellCheck={false}
          />
          {library ? <input type="hidden" name="library" value={library} /> : null}
          {framework ? <input type="hidden" name="framework" value={framework} /> : null}
          <button type="submit" className="button button-primary">
            Search
          </button>
        </form>
      </search>
      {results ? (
        <>
          <Narrow
            name="Libraries"
            choices={results.libraries}
            chosen={library}
            labelOf={(id) => shell.libraries.find((entry) => entry.id === id)?.shortName ?? id}
            hrefOf={(id) => asking({ ...asked, library: id, page: 1 })}
          />
          <Narrow
            name="Frameworks"
            choices={results.frameworks}
            chosen={framework}
            labelOf={(value) => shell.frameworks.find((entry) => entry.value === value)?.label ?? value}
            hrefOf={(value) => asking({ ...asked, framework: value, page: 1 })}
          />
          <Found shell={shell} asked={asked} results={results} />
          <Turn page={page} pages={results.pages} hrefOf={(to) => asking({ ...asked, page: to })} />
        </>
      ) : (
        children ?? <p className="lede mt-3">Search the docs of every library, or begin where each of them begins.</p>
      )}
    </div>
  )
}

interface NarrowProps {
  name: string
  choices: Choice[]
  chosen: string
  labelOf: (value: string) => string
  /** Where a search with this value leads; without any for an empty one. */
  hrefOf: (value: string) => string
}

function Narrow({ name, choices, chosen, labelOf, hrefOf }: NarrowProps) {
  if (choices.length === 0) return null
  return (
    <nav aria-label={name}>
      <ul className="chips">
        {choices.map(({ value, count }) => (
          <li key={value}>
            <a
              className="chip"
              href={hrefOf(value === chosen ? '' : value)}
              aria-current={value === chosen ? 'true' : undefined}
            >
              {labelOf(value)} <small>{count}</small>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Found({ shell, asked, results }: { shell: Shell; asked: Partial<Asked>; results: Results }) {
  if (results.total === 0) {
    const { q = '', library, framework, version } = asked
    return (
      <div className="search-words">
        <h2>No results found</h2>
        <p>Try adjusting your search or filters to find what you're looking for</p>
        {library || framework || version ? (
          <a className="button" href={asking({ q })}>
            Search all libraries and frameworks
          </a>
        ) : null}
      </div>
    )
  }
  return (
    <>
      <p className="fine">{results.total === 1 ? '1 result' : `${results.total} results`}</p>
      <ol>
        {results.found.map((page) => {
          const library = shell.libraries.find((candidate) => candidate.id === page.library)
          return (
            <li key={page.to}>
              <a href={page.to} className="search-result" style={library && hue(library)}>
                {library ? <LibraryMark library={library} /> : <span className="library-mark" />}
                <span className="search-lines">
                  <strong>
                    <Marked pieces={page.title} />
                  </strong>
                  {page.trail.length > 0 ? <span className="search-trail">{page.trail.join(' › ')}</span> : null}
                  <span className="search-text">
                    <Marked pieces={page.text} />
                  </span>
                </span>
                <span className="search-marks">
                  {library ? <span className="badge">{library.shortName}</span> : null}
                </span>
              </a>
            </li>
          )
        })}
      </ol>
    </>
  )
}

function Marked({ pieces }: { pieces: Piece[] }) {
  return pieces.map(({ text, found }, at) =>
    // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text have no other key, and never move
    found ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
  )
}

function Turn({ page, pages, hrefOf }: { page: number; pages: number; hrefOf: (page: number) => string }) {
  if (pages < 2) return null
  return (
    <nav className="search-pages" aria-label="Pages of results">
      {page > 1 ? (
        <a className="button button-quiet" href={hrefOf(page - 1)}>
          Previous
        </a>
      ) : null}
      <span className="fine">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <a className="button button-quiet" href={hrefOf(page + 1)}>
          Next
        </a>
      ) : null}
    </nav>
  )
}
