import { shownPages } from '../../lib/pages'

interface Props {
  /** The page one is on, counted from one. */
  page: number
  pages: number
  /** Where a page is. */
  href: (page: number) => string
  label?: string
}

/** The way to the other pages of a list, as links. */
export function Pagination({ page, pages, href, label = 'Pages' }: Props) {
  if (pages < 2) return null
  return (
    <nav aria-label={label}>
      <ul className="pagination">
        <li>{page > 1 ? <a href={href(page - 1)} rel="prev">Previous</a> : <span>Previous</span>}</li>
        {shownPages(page, pages).map((shown, at) => (
          <li key={shown ?? `gap-${at}`}>
            {shown === null ? (
              <span aria-hidden="true">…</span>
            ) : (
              <a href={href(shown)} aria-current={shown === page ? 'page' : undefined}>
                <span className="sr-only">Page </span>
                {shown}
              </a>
            )}
          </li>
        ))}
        <li>{page < pages ? <a href={href(page + 1)} rel="next">Next</a> : <span>Next</span>}</li>
      </ul>
    </nav>
  )
}
