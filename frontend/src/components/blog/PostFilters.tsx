import type { PostList } from '../../lib/blog'
import { authorSlug } from '../../lib/blog'
import { paths } from '../../lib/paths'
import { Link } from '../ui/Link'
import type { SitePath } from '../../lib/paths'

interface FilterLink {
  key: string
  label: string
  href: SitePath
  chosen: boolean
}

/** Filters of the post list. They are links, which need no script. */
export function PostFilters({ list: { library, author, libraries, authors } }: { list: PostList }) {
  const by = author && authorSlug(author)
  const chips: FilterLink[] = [
    { key: 'all', label: 'All', href: paths.blog({ author: by }), chosen: !library },
    ...libraries.map(({ id, shortName }) => ({
      key: id,
      label: shortName,
      href: paths.blog({ library: id, author: by }),
      chosen: id === library?.id,
    })),
  ]
  const writers: FilterLink[] = [
    { key: '', label: 'All authors', href: paths.blog({ library: library?.id }), chosen: !author },
    ...authors.map((name) => ({
      key: name,
      label: name,
      href: paths.blog({ library: library?.id, author: authorSlug(name) }),
      chosen: name === author,
    })),
  ]
  return (
    <>
      {libraries.length > 0 ? <FilterLinks name="Posts by library" noun="posts" chips={chips} /> : null}
      {authors.length > 1 ? <FilterLinks name="Posts by author" chips={writers} /> : null}
    </>
  )
}

/** `noun` completes the label for screen readers: "Start posts" instead of "Start". */
function FilterLinks({ name, noun, chips }: { name: string; noun?: string; chips: FilterLink[] }) {
  return (
    <nav aria-label={name} className="post-filter">
      <ul className="chips">
        {chips.map(({ key, label, href, chosen }) => (
          <li key={key}>
            <Link to={href} className="chip" aria-current={chosen ? 'true' : undefined}>
              {label}
              {noun ? <span className="sr-only"> {noun}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
