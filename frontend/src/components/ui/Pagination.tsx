import { listPageLinks } from '../../lib/pagination'
import { Link } from './Link'
import type { SitePath } from '../../lib/paths'

interface Props {
  /** The current page, counted from one. */
  page: number
  pages: number
  /** The URL of a page. */
  href: (page: number) => SitePath
  label?: string
}

/** Links to the pages of a list. */
export function Pagination({ page, pages, href, label = 'Pages' }: Props) {
  if (pages < 2) return null
  return (
    <nav aria-label={label}>
      <ul className="pagination">
        <li>{page > 1 ? <Link to={href(page - 1)} rel="prev">Previous</Link> : <span>Previous</span>}</li>
        {listPageLinks(page, pages).map((shown, at) => (
          <li key={shown ?? `gap-${at}`}>
            {shown === null ? (
              <span aria-hidden="true">…</span>
            ) : (
              <Link to={href(shown)} aria-current={shown === page ? 'page' : undefined}>
                <span className="sr-only">Page </span>
                {shown}
              </Link>
            )}
          </li>
        ))}
        <li>{page < pages ? <Link to={href(page + 1)} rel="next">Next</Link> : <span>Next</span>}</li>
      </ul>
    </nav>
  )
}
