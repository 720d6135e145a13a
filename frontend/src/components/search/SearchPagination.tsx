import { useEffect } from 'react'
import { usePagination } from 'react-instantsearch'
import { Button } from '../ui/Button'

/** Buttons for the current page, two before and two after it. */
export function SearchPagination({ onEnd }: { onEnd: () => void }) {
  const { pages, currentRefinement, nbPages, isFirstPage, isLastPage, refine } = usePagination({ padding: 2 })
  // Moves to the last page if the URL asks for a later one.
  useEffect(() => {
    if (nbPages > 0 && currentRefinement >= nbPages) refine(nbPages - 1)
  }, [nbPages, currentRefinement, refine])
  const turn = (to: number) => {
    refine(to)
    // At an end the clicked button is disabled and loses the focus.
    if (to === 0 || to === nbPages - 1) onEnd()
  }
  if (nbPages < 2) return null
  return (
    <nav className="search-pagination" aria-label="Pages of results">
      <Button
        variant="quiet" size="small"
        disabled={isFirstPage}
        onClick={() => turn(currentRefinement - 1)}
      >
        Previous
      </Button>
      {pages.map((page) => (
        <Button
          key={page}
          variant="quiet" size="small"
          aria-label={`Page ${page + 1}`}
          aria-current={page === currentRefinement ? 'page' : undefined}
          onClick={() => refine(page)}
        >
          {page + 1}
        </Button>
      ))}
      <Button
        variant="quiet" size="small"
        disabled={isLastPage}
        onClick={() => turn(currentRefinement + 1)}
      >
        Next
      </Button>
    </nav>
  )
}
