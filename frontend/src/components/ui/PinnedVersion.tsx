import type { LibraryCard } from '../../api/generated'
import { paths } from '../../lib/paths'
import { Button } from './Button'
import { Link } from './Link'
import { LATEST } from '../../lib/docs/version'

interface Props {
  library: LibraryCard
  /** Whether it stands in a list of libraries. */
  isListed?: boolean
}

/** The version of a library that the reader pinned, and a button that removes it. Within an element with `data-pinned`, which the
 *  inline script shows to readers with a pin: it sets the text of the link and its version. */
export function PinnedVersion({ library, isListed }: Props) {
  return (
    <>
      <Link to={paths.docs(library.id, LATEST)} className="text-link" suppressHydrationWarning>
        {LATEST}
      </Link>
      <Button size="small" data-unpin={library.id}>
        Unpin
        {isListed ? <span className="sr-only"> of {library.shortName}</span> : null}
      </Button>
    </>
  )
}
