import type { Shell } from '../../api/generated'
import { authorSlug, writers } from '../../lib/blog'
import { paths } from '../../lib/paths'
import { dateInWords } from '../../lib/words'

interface Props {
  shell: Shell
  authors: readonly string[]
  published: string
  updated?: string | null
  minutes: number
}

/** Who wrote it, when, and how long reading takes. */
export function Byline({ shell, authors, published, updated, minutes }: Props) {
  return (
    <p className="byline">
      <span>
        by{' '}
        {writers(authors, shell).map((name, at, all) => (
          <span key={name}>
            {at === 0 ? '' : at === all.length - 1 ? ' and ' : ', '}
            <a href={paths.blog({ author: authorSlug(name) })}>{name}</a>
          </span>
        ))}{' '}
        on <time dateTime={published}>{dateInWords(published)}</time>
      </span>
      {updated ? (
        <span>
          updated on <time dateTime={updated}>{dateInWords(updated)}</time>
        </span>
      ) : null}
      <span>{minutes} min read</span>
    </p>
  )
}
