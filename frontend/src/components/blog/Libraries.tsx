import type { LibraryCard } from '../../api/generated'
import { hue } from '../../lib/hue'
import { paths } from '../../lib/paths'

/** What a post is about: each leads to all posts about that library. */
export function Libraries({ libraries }: { libraries: LibraryCard[] }) {
  if (libraries.length === 0) return null
  return (
    <ul className="post-libraries" aria-label="About">
      {libraries.map((library) => (
        <li key={library.id} style={hue(library)}>
          <a href={paths.blog({ library: library.id })}>
            {library.shortName}
            <span className="sr-only"> posts</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
