// The answer to what is typed, as the dialog shows and says it.
import type { RefObject } from 'react'
import { useEffect, useState } from 'react'
import { useHits, useInstantSearch, usePagination, useSearchBox } from 'react-instantsearch'
import { withSearch } from '../../lib/search'
import type { Found } from './Result'

const WRITE_DELAY_MS = 400
const NONE: Found[] = []

interface Asked {
  /** How often the dialog has opened. */
  wanted: number
  /** Why the last search has no answer. */
  failure: string | null
}

/** What was found, and where in it the keys are: each new answer and each opening begins at the first result. */
export function useFound({ wanted, failure }: Asked, list: RefObject<HTMLDivElement | null>) {
  const { query } = useSearchBox()
  const { items, results } = useHits<Found>()
  const { status } = useInstantSearch()
  const [focus, setFocus] = useState({ on: 0, results, wanted })
  if (focus.results !== results || focus.wanted !== wanted) setFocus({ on: 0, results, wanted })
  useAddress(query, list)

  const asked = query.trim() !== ''
  const answer = failure === null ? answerIn(results) : null
  const settled = asked && status === 'idle' ? answer : null
  return {
    query,
    asked,
    results,
    hits: asked ? items : NONE,
    on: focus.on,
    moveTo: (on: number) => setFocus({ ...focus, on }),
    late: status === 'stalled',
    nothing: settled?.total === 0,
    /** The text that was answered, unless another answer is on its way. */
    answered: settled && settled.text,
    /** Whether the choices have numbers: where nothing was asked, nothing was counted. */
    counted: asked && Boolean(answer?.text.trim()),
    /** For those who do not see the list. */
    said: settled ? counted(settled.total) : '',
  }
}

/** What an answer says of itself; null before the first, which the widgets make up. */
function answerIn(results: ReturnType<typeof useHits>['results']): { text: string; total: number } | null {
  if (!results || results.__isArtificial) return null
  return { text: results._state.query ?? '', total: results.nbHits }
}

/** Follows the search with the address, a moment behind the keys. */
function useAddress(query: string, list: RefObject<HTMLDivElement | null>): void {
  const { currentRefinement: page } = usePagination({ padding: 2 })
  useEffect(() => {
    const write = () => {
      // Whoever has followed a result by now is on a page of its own.
      if (!list.current?.closest('dialog')?.open) return
      history.replaceState(history.state, '', withSearch(location.href, query, page))
    }
    const timer = setTimeout(write, WRITE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [query, page, list])
}

function counted(count: number): string {
  return count === 1 ? '1 result' : `${count} results`
}
