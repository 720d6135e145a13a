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
export function PostFilters({ list: { library, author, tag, libraries, authors, tags } }: { list: PostList }) {
  // Each filter keeps what the others have chosen.
  const chosen = { library: library?.id, author: author && authorSlug(author), tag: tag?.slug }
  const chips: FilterLink[] = [
    { key: 'all', label: 'All', href: paths.blog({ ...chosen, library: undefined }), chosen: !library },
    ...libraries.map(({ id, shortName }) => ({
      key: id,
      label: shortName,
      href: paths.blog({ ...chosen, library: id }),
      chosen: id === library?.id,
    })),
  ]
  const writers: FilterLink[] = [
    { key: '', label: 'All authors', href: paths.blog({ ...chosen, author: undefined }), chosen: !author },
    ...authors.map((name) => ({
      key: name,
      label: name,
      href: paths.blog({ ...chosen, author: authorSlug(name) }),
      chosen: name === author,
    })),
  ]
  const tagged: FilterLink[] = [
    { key: '', label: 'All tags', href: paths.blog({ ...chosen, tag: undefined }), chosen: !tag },
    ...tags.map(({ name, slug }) => ({
      key: slug,
      label: name,
      href: paths.blog({ ...chosen, tag: slug }),
      chosen: slug === tag?.slug,
    })),
  ]
  return (
    <>
      {libraries.length > 0 ? <FilterLinks name="Posts by library" noun="posts" chips={chips} /> : null}
      {authors.length > 1 ? <FilterLinks name="Posts by author" chips={writers} /> : null}
      {tags.length > 0 ? <FilterLinks name="Posts by tag" chips={tagged} /> : null}
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
