import { useEffect } from 'react'
import { usePagination } from 'react-instantsearch'

/** Two pages to either side of the one that is shown. */
export function Pages({ onEnd }: { onEnd: () => void }) {
  const { pages, currentRefinement, nbPages, isFirstPage, isLastPage, refine } = usePagination({ padding: 2 })
  // Follows an answer that has fewer pages than the address asks for.
  useEffect(() => {
    if (nbPages > 0 && currentRefinement >= nbPages) refine(nbPages - 1)
  }, [nbPages, currentRefinement, refine])
  const turn = (to: number) => {
    refine(to)
    // There the button leads no further, and a disabled one has no focus.
    if (to === 0 || to === nbPages - 1) onEnd()
  }
  if (nbPages < 2) return null
  return (
    <nav className="search-pages" aria-label="Pages of results">
      <button
        type="button"
        className="button button-quiet button-small"
        disabled={isFirstPage}
        onClick={() => turn(currentRefinement - 1)}
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
        onClick={() => turn(currentRefinement + 1)}
      >
        Next
      </button>
    </nav>
  )
}
