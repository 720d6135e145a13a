import { authorSlug, listAuthors } from '../../lib/blog'
import { paths } from '../../lib/paths'
import { formatDate } from '../../lib/format'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'

interface Props {
  authors: readonly string[]
  published: string
  updated?: string | null
  minutes: number
}

/** Authors, date and reading time of a post. */
export function Byline({ authors, published, updated, minutes }: Props) {
  const shell = useShell()
  return (
    <p className="byline">
      <span>
        by{' '}
        {listAuthors(authors, shell).map((name, at, all) => (
          <span key={name}>
            {at === 0 ? '' : at === all.length - 1 ? ' and ' : ', '}
            <Link to={paths.blog({ author: authorSlug(name) })}>{name}</Link>
          </span>
        ))}{' '}
        on <time dateTime={published}>{formatDate(published)}</time>
      </span>
      {updated ? (
        <span>
          updated on <time dateTime={updated}>{formatDate(updated)}</time>
        </span>
      ) : null}
      <span>{minutes} min read</span>
    </p>
  )
}
