import type { PostList } from '../../lib/blog'
import { authorSlug } from '../../lib/blog'
import { paths } from '../../lib/paths'

interface Chip {
  key: string
  label: string
  href: string
  chosen: boolean
}

/** Choices among the posts: plain links, so they need no script. */
export function Filters({ list: { library, author, libraries, authors } }: { list: PostList }) {
  const by = author && authorSlug(author)
  const chips: Chip[] = [
    { key: 'all', label: 'All', href: paths.blog({ author: by }), chosen: !library },
    ...libraries.map(({ id, shortName }) => ({
      key: id,
      label: shortName,
      href: paths.blog({ library: id, author: by }),
      chosen: id === library?.id,
    })),
  ]
  const writers: Chip[] = [
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
      <Chips name="Posts by library" noun="posts" chips={chips} />
      {authors.length > 1 ? <Chips name="Posts by author" chips={writers} /> : null}
    </>
  )
}

/** `noun` is what follows a label for those who hear the link by itself: "Start" alone says nothing of where it leads. */
function Chips({ name, noun, chips }: { name: string; noun?: string; chips: Chip[] }) {
  return (
    <nav aria-label={name} className="post-filter">
      <ul className="chips">
        {chips.map(({ key, label, href, chosen }) => (
          <li key={key}>
            <a href={href} className="chip" aria-current={chosen ? 'true' : undefined}>
              {label}
              {noun ? <span className="sr-only"> {noun}</span> : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
