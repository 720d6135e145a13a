import type { MouseEvent } from 'react'
import { libraryColors } from '../../lib/colors'
import { paths } from '../../lib/paths'
import type { SearchContext } from '../../lib/search'
import { LATEST } from '../../lib/version'
import { LibraryLogo } from '../ui/LibraryLogo'
import { EmptyState } from './EmptyState'
import { Button } from '../ui/Button'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'

interface Props {
  place: SearchContext
  close: (event?: MouseEvent) => void
  /** Removes all filters; undefined if there are none. */
  onWiden: (() => void) | undefined
}

/** Shown without hits: removes the filters, or links to the docs of the current library, or of all. */
export function NoResults({ place, onWiden, close }: Props) {
  const shell = useShell()
  const read = shell.libraries.filter(({ id }) => id === place.library)
  return (
    <EmptyState title="No results found" text="Try adjusting your search or filters to find what you're looking for">
      {onWiden ? (
        <Button onClick={onWiden}>
          Search all libraries and frameworks
        </Button>
      ) : null}
      <p className="no-results-hint">Or begin where the docs begin:</p>
      <nav className="no-results-links" aria-label="Where the docs begin">
        {(read.length > 0 ? read : shell.libraries).map((library) => (
          <Link
            key={library.id}
            to={paths.docs(library.id, LATEST, library.defaultDocs)}
            className="chip"
            style={libraryColors(library)}
            onClick={close}
          >
            <LibraryLogo library={library} />
            {library.shortName}
          </Link>
        ))}
      </nav>
    </EmptyState>
  )
}
