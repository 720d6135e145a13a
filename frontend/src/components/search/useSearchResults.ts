// The state of the search, as the dialog shows it.
import type { RefObject } from 'react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { FailedSearch } from '../../lib/search/search'
import { setSearchInUrl } from '../../lib/search/search'
import { isClearlyBetter } from '../../lib/search/otherLibraries'
import { searchedWords } from '../../lib/search/queryWords'
import type { SearchHit } from '../../lib/search/searchHit'
import type { SearchProgress, SearchStore } from '../../lib/search/searchStore'

const WRITE_DELAY_MS = 400
const NO_GROUPS: HitGroup[] = []

/** Results of the chosen libraries, or of the others. */
export interface HitGroup {
  isOther: boolean
  hits: SearchHit[]
}

interface Options {
  /** Counts the openings of the dialog. */
  openCount: number
  /** Words of queries that say nothing about a page. */
  ignoredWords: readonly string[]
}

/** The hits and the selected one. Each new answer and each opening selects the first hit. */
export function useSearchResults(store: SearchStore, { openCount, ignoredWords }: Options, list: RefObject<HTMLDivElement | null>) {
  const progress = useSyncExternalStore(store.subscribe, store.read)
  const { parameters, answer, status } = progress
  const [focus, setFocus] = useState({ selected: 0, answer, openCount })
  if (focus.answer !== answer || focus.openCount !== openCount) setFocus({ selected: 0, answer, openCount })
  const listKey = useListKey(answer, status === 'stalled')
  useSearchUrl(parameters, list)

  const state = searchState(progress)
  const found = useMemo(() => hitGroups(answer, ignoredWords), [answer, ignoredWords])
  const groups = state.kind === 'start' ? NO_GROUPS : found
  return {
    parameters,
    answer,
    state,
    isLoading: status !== 'idle',
    groups,
    /** In the order of the list. */
    hits: useMemo(() => groups.flatMap(({ hits }) => hits), [groups]),
    listKey,
    selected: focus.selected,
    moveTo: (selected: number) => setFocus({ ...focus, selected }),
    /** The query of the current hits; null while a search is pending. */
    answeredQuery: state.kind === 'answered' ? parameters.query : null,
    /** Whether filters show counts: the answer to an empty query has none. */
    hasCounts: state.kind !== 'start' && Boolean(answer?.query.trim()),
  }
}

function hitGroups(answer: SearchProgress['answer'], ignoredWords: readonly string[]): HitGroup[] {
  if (!answer) return NO_GROUPS
  const own = { isOther: false, hits: answer.hits }
  const others = { isOther: true, hits: answer.otherHits }
  const words = searchedWords(answer.query, ignoredWords)
  const groups = isClearlyBetter(words, own.hits, others.hits) ? [others, own] : [own, others]
  return groups.filter(({ hits }) => hits.length > 0)
}

/** Changes with each late answer: its rows are new ones, since rows that move long after the key press are unexpected. */
function useListKey(answer: unknown, isLate: boolean): number {
  const [last, setLast] = useState({ answer, isLate, key: 0 })
  if (last.answer !== answer || last.isLate !== isLate) {
    const isLateAnswer = last.answer !== answer && (last.isLate || isLate)
    setLast({ answer, isLate, key: isLateAnswer ? last.key + 1 : last.key })
  }
  return last.key
}

/** What the dialog shows. A pending search is slow after 200 ms. */
export type SearchState =
  | { kind: 'start' }
  | { kind: 'pending'; isSlow: boolean }
  | { kind: 'failed'; failure: FailedSearch }
  | { kind: 'answered'; total: number; others: number }

function searchState({ parameters: { query }, status, failure, answer }: SearchProgress): SearchState {
  if (query.trim() === '') return { kind: 'start' }
  if (failure) return { kind: 'failed', failure }
  const isAnswered = status === 'idle' && answer?.query.trim() === query.trim()
  if (isAnswered) return { kind: 'answered', total: answer.total, others: answer.otherHits.length }
  return { kind: 'pending', isSlow: status === 'stalled' }
}

/** Synchronizes the URL with the query, debounced. */
function useSearchUrl({ query, page }: SearchProgress['parameters'], list: RefObject<HTMLDivElement | null>): void {
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
