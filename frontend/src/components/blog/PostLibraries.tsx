import type { LibraryCard } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { paths } from '../../lib/paths'
import { Link } from '../ui/Link'

/** The libraries of a post. Each links to all posts about it. */
export function PostLibraries({ libraries }: { libraries: LibraryCard[] }) {
  if (libraries.length === 0) return null
  return (
    <ul className="post-libraries" aria-label="About">
      {libraries.map((library) => (
        <li key={library.id} style={libraryColors(library)}>
          <Link to={paths.blog({ library: library.id })}>
            {library.shortName}
            <span className="sr-only"> posts</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
