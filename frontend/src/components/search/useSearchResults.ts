// The state of the search, as the dialog shows and announces it.
import type { RefObject } from 'react'
import { useEffect, useState } from 'react'
import { useHits, useInstantSearch, usePagination, useSearchBox } from 'react-instantsearch'
import type { FailedSearch } from '../../lib/search/search'
import { setSearchInUrl } from '../../lib/search/search'
import type { SearchHit } from './SearchResult'

const WRITE_DELAY_MS = 400
const NO_HITS: SearchHit[] = []

interface SearchStatus {
  /** Counts the openings of the dialog. */
  openCount: number
  failure: FailedSearch | null
}

/** The hits and the selected one. Each new response and each opening selects the first hit. */
export function useSearchResults({ openCount, failure }: SearchStatus, list: RefObject<HTMLDivElement | null>) {
  const { query } = useSearchBox()
  const { items, results } = useHits<SearchHit>()
  const { status } = useInstantSearch()
  const [focus, setFocus] = useState({ selected: 0, results, openCount })
  if (focus.results !== results || focus.openCount !== openCount) setFocus({ selected: 0, results, openCount })
  const listKey = useListKey(results, status === 'stalled')
  useSearchUrl(query, list)

  const answer = failure === null ? readResponse(results) : null
  const state = searchState({ query, status, failure, answer })
  const hits = state.kind === 'start' ? NO_HITS : items
  return {
    query,
    results,
    state,
    hits,
    listKey,
    selected: focus.selected,
    moveTo: (selected: number) => setFocus({ ...focus, selected }),
    /** The query of the current hits; null while a search is pending. */
    answeredQuery: state.kind === 'answered' ? query : null,
    /** Whether filters show counts: the answer to an empty query has none. */
    hasCounts: state.kind !== 'start' && Boolean(answer?.text.trim()),
  }
}

/** Changes with each late answer: its rows are new ones, since rows that move long after the key press are unexpected. */
function useListKey(results: unknown, isLate: boolean): number {
  const [last, setLast] = useState({ results, isLate, key: 0 })
  if (last.results !== results || last.isLate !== isLate) {
    const isLateAnswer = last.results !== results && (last.isLate || isLate)
    setLast({ results, isLate, key: isLateAnswer ? last.key + 1 : last.key })
  }
  return last.key
}

/** What the dialog shows. A search is slow from `STALLED_MS` on. */
export type SearchState =
  | { kind: 'start' }
  | { kind: 'pending'; isSlow: boolean }
  | { kind: 'failed'; failure: FailedSearch }
  | { kind: 'answered'; total: number }

interface SearchProgress {
  query: string
  status: string
  failure: FailedSearch | null
  answer: SearchAnswer | null
}

function searchState({ query, status, failure, answer }: SearchProgress): SearchState {
  if (query.trim() === '') return { kind: 'start' }
  if (status === 'stalled') return { kind: 'pending', isSlow: true }
  if (failure) return { kind: 'failed', failure }
  const isAnswered = status === 'idle' && answer?.text.trim() === query.trim()
  return isAnswered ? { kind: 'answered', total: answer.total } : { kind: 'pending', isSlow: false }
}

/** What screen readers announce. */
export function announcement(state: SearchState): string {
  if (state.kind === 'pending' && state.isSlow) return 'Searching…'
  if (state.kind !== 'answered') return ''
  return state.total === 1 ? '1 result' : `${state.total} results`
}

interface SearchAnswer {
  text: string
  total: number
}

/** Query and count of a response; null for the artificial one before the first search. */
function readResponse(results: ReturnType<typeof useHits>['results']): SearchAnswer | null {
  if (!results || results.__isArtificial) return null
  // Not `_state.query`, which is that of the pending search.
  return { text: results.query, total: results.nbHits }
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
