import type { LibraryCard } from '../../api/generated'
import { paths } from '../../lib/paths'
import { Button } from './Button'
import { Link } from './Link'
import { LATEST } from '../../lib/docs/version'

/** The version of a library that the reader pinned, and a button that removes it. Within an element with `data-pinned`, which the
 *  inline script shows to readers with a pin: it sets the text and the target of the link. */
export function PinnedVersion({ library }: { library: LibraryCard }) {
  return (
    <>
      <Link to={paths.docs(library.id, LATEST)} data-keeps-version="" className="pinned-version" suppressHydrationWarning>
        {LATEST}
      </Link>
      <Button size="small" data-unpin={library.id}>
        Remove pin<span className="sr-only"> of {library.shortName}</span>
      </Button>
    </>
  )
}
