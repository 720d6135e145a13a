import { useEffect } from 'react'
import { nearbyPages } from '../../lib/search/search'
import { Button } from '../ui/Button'

interface Props {
  /** Counted from zero, as all pages here. */
  page: number
  pages: number
  onTurn: (page: number) => void
  /** Called when the first or the last page is chosen. */
  onEnd: () => void
}

/** Buttons for the current page, two before and two after it. */
export function SearchPagination({ page: current, pages, onTurn, onEnd }: Props) {
  // Moves to the last page if the URL asks for a later one.
  useEffect(() => {
    if (pages > 0 && current >= pages) onTurn(pages - 1)
  }, [pages, current, onTurn])
  const turn = (to: number) => {
    onTurn(to)
    // At an end the clicked button is disabled and loses the focus.
    if (to === 0 || to === pages - 1) onEnd()
  }
  if (pages < 2) return null
  return (
    <nav className="search-pagination" aria-label="Pages of results">
      <Button
        variant="quiet" size="small"
        disabled={current === 0}
        onClick={() => turn(current - 1)}
      >
        Previous
      </Button>
      {nearbyPages(current, pages).map((page) => (
        <Button
          key={page}
          variant="quiet" size="small"
          aria-label={`Page ${page + 1}`}
          aria-current={page === current ? 'page' : undefined}
          onClick={() => onTurn(page)}
        >
          {page + 1}
        </Button>
      ))}
      <Button
        variant="quiet" size="small"
        disabled={current >= pages - 1}
        onClick={() => turn(current + 1)}
      >
        Next
      </Button>
    </nav>
  )
}
