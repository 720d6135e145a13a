// The state of the search, as the dialog shows and announces it.
import type { RefObject } from 'react'
import { useEffect, useState } from 'react'
import { useHits, useInstantSearch, usePagination, useSearchBox } from 'react-instantsearch'
import { setSearchInUrl } from '../../lib/search'
import type { SearchHit } from './SearchResult'

const WRITE_DELAY_MS = 400
const NO_HITS: SearchHit[] = []

interface SearchStatus {
  /** Counts the openings of the dialog. */
  openCount: number
  /** The error of the last search, if it failed. */
  failure: string | null
}

/** The hits and the selected one. Each new response and each opening selects the first hit. */
export function useSearchResults({ openCount, failure }: SearchStatus, list: RefObject<HTMLDivElement | null>) {
  const { query } = useSearchBox()
  const { items, results } = useHits<SearchHit>()
  const { status } = useInstantSearch()
  const [focus, setFocus] = useState({ selected: 0, results, openCount })
  if (focus.results !== results || focus.openCount !== openCount) setFocus({ selected: 0, results, openCount })
  useSearchUrl(query, list)

  const hasQuery = query.trim() !== ''
  const answer = failure === null ? readResponse(results) : null
  const settled = hasQuery && status === 'idle' ? answer : null
  return {
    query,
    hasQuery,
    results,
    hits: hasQuery ? items : NO_HITS,
    selected: focus.selected,
    moveTo: (selected: number) => setFocus({ ...focus, selected }),
    isStalled: status === 'stalled',
    isEmpty: settled?.total === 0,
    /** The query of the current hits; null while a search is pending. */
    answeredQuery: settled && settled.text,
    /** Whether filters show counts: an empty query has none. */
    hasCounts: hasQuery && Boolean(answer?.text.trim()),
    /** Announced to screen readers. */
    announcement: settled ? formatResultCount(settled.total) : '',
  }
}

/** Query and count of a response; null for the artificial one before the first search. */
function readResponse(results: ReturnType<typeof useHits>['results']): { text: string; total: number } | null {
  if (!results || results.__isArtificial) return null
  return { text: results._state.query ?? '', total: results.nbHits }
}

/** Synchronizes the URL with the query, debounced. */
function useSearchUrl(query: string, list: RefObject<HTMLDivElement | null>): void {
  const { currentRefinement: page } = usePagination({ padding: 2 })
  useEffect(() => {
    const write = () => {
      // After a result was followed, the URL is that of another page.
      if (!list.current?.closest('dialog')?.open) return
      history.replaceState(history.state, '', setSearchInUrl(location.href, query, page))
    }
    const timer = setTimeout(write, WRITE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [query, page, list])
}

function formatResultCount(count: number): string {
  return count === 1 ? '1 result' : `${count} results`
}
