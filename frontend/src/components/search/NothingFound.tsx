import type { MouseEvent } from 'react'
import type { Shell } from '../../api/generated'
import { hue } from '../../lib/hue'
import { paths } from '../../lib/paths'
import type { Place } from '../../lib/search'
import { LATEST } from '../../lib/version'
import { LibraryMark } from '../ui/LibraryMark'
import { Words } from './Words'

interface Props {
  shell: Shell
  place: Place
  close: (event?: MouseEvent) => void
  /** None where the search is as wide as it gets. */
  onWiden: (() => void) | undefined
}

/** Where to go on: the search without its limits, or the beginning of the docs one reads, or of all. */
export function NothingFound({ shell, place, onWiden, close }: Props) {
  const read = shell.libraries.filter(({ id }) => id === place.library)
  return (
    <Words title="No results found" text="Try adjusting your search or filters to find what you're looking for">
      {onWiden ? (
        <button type="button" className="button" onClick={onWiden}>
          Search all libraries and frameworks
        </button>
      ) : null}
      <p className="search-or">Or begin where the docs begin:</p>
      <nav className="search-begin" aria-label="Where the docs begin">
        {(read.length > 0 ? read : shell.libraries).map((library) => (
          <a
            key={library.id}
            href={paths.docs(library.id, LATEST, library.defaultDocs)}
            className="chip"
            style={hue(library)}
            onClick={close}
          >
            <LibraryMark library={library} />
            {library.shortName}
          </a>
        ))}
      </nav>
    </Words>
  )
}
