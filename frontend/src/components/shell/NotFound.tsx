import type { ReactNode } from 'react'
import { useContext } from 'react'
import { useLocation, useMatches } from '@tanstack/react-router'
import { paths, serverPath } from '../../lib/paths'
import { readHeading, readNearestPages, readNotFoundMessage } from '../../lib/loadPage'
import { missingPageSearch } from '../../lib/missingPage'
import { libraryFace } from '../../lib/colors'
import { findMatchedLibrary } from '../../lib/matchedLibrary'
import { AreaStyles } from '../ui/AreaStyles'
import { LibraryLogo } from '../ui/LibraryLogo'
import { Main } from '../ui/Main'
import { Button, LinkButton } from '../ui/Button'
import { Link } from '../ui/Link'
import { ShellContext } from '../ui/useShell'

interface Props {
  /** The data of the router's `notFound()`. */
  data?: unknown
  /** Replaces the message of the server. */
  message?: string
  /** Links in place of "Go back" and "Start Over". */
  children?: ReactNode
}

export function NotFound({ message, children, data }: Props) {
  const detail = message ? null : readNotFoundMessage(data)
  const nearest = readNearestPages(data)
  const library = useMatches({ select: findMatchedLibrary })
  return (
    <Main className={library ? 'message-page patterned' : 'message-page'} style={library && libraryFace(library)}>
      <AreaStyles name="message-page" />
      {library ? <LibraryLogo library={library} /> : null}
      <h1>404 Not Found</h1>
      <p>{message ?? 'The page you are looking for does not exist.'}</p>
      {detail ? <p>{detail}</p> : null}
      {nearest.length > 0 ? (
        <nav aria-labelledby="Site-nearest" className="suggestions">
          <h2 id="Site-nearest">{readHeading(data)}</h2>
          <ul>
            {nearest.map(({ title, to }) => (
              <li key={to}>
                <Link to={serverPath(to)}>
                  {title} <small>{to}</small>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <SearchSuggestion />
      <div className="actions">
        {children ?? (
          <>
            <Button data-go-back="" needsScript>
              Go back
            </Button>
            <LinkButton to={paths.home()} variant="primary" aria-describedby="Site-start-over">
              Start Over
            </LinkButton>
          </>
        )}
      </div>
      {children ? null : (
        <p id="Site-start-over">
          <small>Start over at the home page.</small>
        </p>
      )}
    </Main>
  )
}

/** A search for the words of the missing page. */
function SearchSuggestion() {
  const shell = useContext(ShellContext)
  const pathname = useLocation({ select: (location) => location.pathname })
  const search = missingPageSearch(pathname, shell?.libraries ?? [])
  // The file for missing pages is rendered without knowing which one is requested.
  if (!search || shell?.isStatic) return null
  return (
    <p className="search-suggestion">
      <Link to={search.to}>Search for “{search.words}”</Link>
    </p>
  )
}
