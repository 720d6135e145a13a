import type { MouseEvent, ReactNode } from 'react'
import { libraryColors } from '../../lib/colors'
import { paths } from '../../lib/paths'
import { LATEST } from '../../lib/docs/version'
import { Link } from '../ui/Link'
import { LibraryLogo } from '../ui/LibraryLogo'
import { useShell } from '../ui/useShell'
import { EmptyState } from './EmptyState'

const MAX_SHOWN_QUERY = 60

interface Props {
  query: string
  /** The library of the current page. */
  library: string | null
  /** A control that removes all filters; undefined if there are none. */
  widen: ReactNode
  onFollow?: (event: MouseEvent) => void
}

/** Shown without hits: removes the filters, or links to the docs of the current library, or of all. */
export function NoResults({ query, library: id, widen, onFollow }: Props) {
  const shell = useShell()
  const read = shell.libraries.filter((library) => library.id === id)
  const shown = query.length > MAX_SHOWN_QUERY ? `${query.slice(0, MAX_SHOWN_QUERY)}…` : query
  return (
    <EmptyState title="No results found" text="Try adjusting your search or filters to find what you're looking for">
      <p className="empty-state-hint">
        Nothing matches “{shown.trim()}”. Check the spelling{widen ? <> or {widen}</> : null}.
      </p>
      <p className="empty-state-hint">Or start here:</p>
      <ul className="no-results-links" aria-label="Start here">
        {(read.length > 0 ? read : shell.libraries).map((library) => (
          <li key={library.id}>
            <Link
              to={paths.docs(library.id, LATEST, library.defaultDocs)}
              className="chip"
              style={libraryColors(library)}
              onClick={onFollow}
            >
              <LibraryLogo library={library} />
              {library.shortName}
            </Link>
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}
