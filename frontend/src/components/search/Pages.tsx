import { usePagination } from 'react-instantsearch'

/** Two pages to either side of the one that is shown. */
export function Pages() {
  const { pages, currentRefinement, nbPages, isFirstPage, isLastPage, refine } = usePagination({ padding: 2 })
  if (nbPages < 2) return null
  return (
    <nav className="search-pages" aria-label="Pages of results">
      <button
        type="button"
        className="button button-quiet button-small"
        disabled={isFirstPage}
        onClick={() => refine(currentRefinement - 1)}
      >
        Previous
      </button>
      {pages.map((page) => (
        <button
          key={page}
          type="button"
          className="button button-quiet button-small"
          aria-label={`Page ${page + 1}`}
          aria-current={page === currentRefinement ? 'page' : undefined}
          onClick={() => refine(page)}
        >
          {page + 1}
        </button>
      ))}
      <button
        type="button"
        className="button button-quiet button-small"
        disabled={isLastPage}
        onClick={() => refine(currentRefinement + 1)}
      >
        Next
      </button>
    </nav>
  )
}
