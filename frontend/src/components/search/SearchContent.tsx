// The content of the dialog: box, filters, results, pagination.
import type { MouseEvent, ReactNode, Ref } from 'react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useCurrentRefinements, useInstantSearch, useRefinementList } from 'react-instantsearch'
import type { FailedSearch, SearchContext } from '../../lib/search/search'
import { MAX_RECENT, localPath, onlyLibrary, RECENT, addSavedPage } from '../../lib/search/search'
import { LATEST } from '../../lib/docs/version'
import { SearchStart } from './SearchStart'
import type { SearchSuggestion } from './SearchBox'
import { SearchBox } from './SearchBox'
import { SearchFilters } from './SearchFilters'
import { NoResults } from './NoResults'
import { SearchFailure } from './SearchFailure'
import { SearchPagination } from './SearchPagination'
import type { SearchHit } from './SearchResult'
import { SearchResult } from './SearchResult'
import type { SearchState } from './useSearchResults'
import { announcement, useSearchResults } from './useSearchResults'
import { SearchSkeleton } from './SearchSkeleton'
import { useSavedPages } from './useSavedPages'
import { anyUrl, getBase } from '../../lib/paths'
import { useShell } from '../ui/useShell'

const RESULTS_ID = 'Site-search-results'
/** About as many results as fit into the dialog without scrolling. */
const INITIAL_RESULTS = 8

interface Props {
  place: SearchContext
  examples: readonly string[]
  version: string
  setVersion: (version: string) => void
  openCount: number
  /** Of the last search. */
  failure: FailedSearch | null
  close: (event?: MouseEvent) => void
  onChoose: (hit: SearchHit) => void
}

export function SearchContent({ place, examples, version, setVersion, openCount, failure, close, onChoose }: Props) {
  const shell = useShell()
  const list = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const found = useSearchResults({ openCount, failure }, list)
  const { query, state, results, hits, selected } = found
  const hasQuery = state.kind !== 'start'
  const { setIndexUiState, refresh } = useInstantSearch()
  const libraries = useRefinementList(facetOptions('library'))
  const frameworks = useRefinementList(facetOptions('framework'))
  const [, changeRecent] = useSavedPages(RECENT)
  const [suggestion, setSuggestion] = useState<SearchSuggestion | null>(null)

  // Scrolls the selected result into view, also after a new response.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected, results])

  // Refocus the input: the clicked button unmounts.
  const focusBox = () => box.current?.focus()
  const choose = (hit: SearchHit) => {
    onChoose(hit)
    const url = localPath(hit.url, [shell.origin, location.origin + getBase()])
    if (url) changeRecent((old) => addSavedPage(old, { url, title: hitTitle(hit), library: onlyLibrary(hit.library) }, MAX_RECENT))
  }
  const open = (apart: boolean) => {
    const link = list.current?.querySelector<HTMLAnchorElement>('[aria-selected="true"]')
    const hit = hits[selected]
    if (!apart) link?.click()
    else if (link && hit) {
      choose(hit)
      window.open(link.href, '_blank', 'noopener')
    }
  }
  // `useRefinementList` lists no values without hits; these are complete.
  const { items: narrowed } = useCurrentRefinements()
  const chosen = narrowed.flatMap(({ refinements, refine }) => refinements.map((one) => () => refine(one)))
  const widen = () => {
    setVersion(LATEST)
    setIndexUiState({ query })
    focusBox()
  }
  // An example may be about any library.
  const suggest = (text: string) => {
    widen()
    setSuggestion({ text })
  }
  const retry = () => {
    refresh()
    focusBox()
  }
  // A lost connection is back.
  useEffect(() => {
    if (!failure) return undefined
    addEventListener('online', refresh)
    return () => removeEventListener('online', refresh)
  }, [failure, refresh])
  const isNarrowed = chosen.length > 0 || version !== LATEST

  return (
    <>
      <SearchBox
        input={box}
        results={RESULTS_ID}
        at={hits.length > 0 ? selected : null}
        count={hits.length}
        answered={found.answeredQuery}
        onMove={found.moveTo}
        openCount={openCount}
        suggestion={suggestion}
        onOpen={open}
        onWiden={() => chosen.at(-1)?.()}
        close={close}
      />
      {hasQuery || chosen.length > 0 ? (
        <SearchFilters
          libraries={libraries}
          frameworks={frameworks}
          chosenOf={(name) => narrowed.filter(({ attribute }) => attribute === name).flatMap(refinementValues)}
          counted={found.hasCounts}
          pending={state.kind === 'pending'}
          onRemoved={focusBox}
          place={place}
          version={version}
          setVersion={(name) => {
            setVersion(name)
            setIndexUiState((now) => ({ ...now, page: 1 }))
          }}
        />
      ) : null}
      <output className="sr-only">{announcement(state)}</output>
      <SearchBody state={state}>
        {state.kind === 'start' ? (
          <SearchStart
            examples={examples}
            onTry={suggest}
            close={close}
            onRemoved={focusBox}
          />
        ) : (
          <InPlaceOfResults
            state={state}
            query={query}
            library={place.library}
            hasHits={hits.length > 0}
            onWiden={isNarrowed ? widen : undefined}
            onRetry={retry}
            close={close}
          />
        )}
        <SearchResults key={found.listKey} ref={list} hits={hits} selected={selected} onFollow={(hit, event) => {
            choose(hit)
            close(event)
          }} />
        {hits.length > 0 && isNarrowed ? (
          <p className="search-widen">
            Not what you are looking for? <WidenButton onWiden={widen}>Search every library</WidenButton>
          </p>
        ) : null}
      </SearchBody>
      {hasQuery ? <SearchPagination onEnd={focusBox} /> : null}
      <ShortcutHints />
    </>
  )
}

function SearchBody({ state, children }: { state: SearchState; children: ReactNode }) {
  const isSlow = state.kind === 'pending' && state.isSlow
  return (
    <div
      className="search-body"
      aria-busy={isSlow}
      data-status={isSlow ? 'stalled' : undefined}
      data-searching={state.kind === 'start' ? undefined : ''}
    >
      {children}
    </div>
  )
}

interface InPlaceOfResultsProps {
  state: SearchState
  query: string
  library: string | null
  /** Whether there are results, be they of an earlier query. */
  hasHits: boolean
  /** Undefined without filters. */
  onWiden: (() => void) | undefined
  onRetry: () => void
  close: (event?: MouseEvent) => void
}

function InPlaceOfResults({ state, query, library, hasHits, onWiden, onRetry, close }: InPlaceOfResultsProps) {
  if (state.kind === 'failed') return <SearchFailure failure={state.failure} onRetry={onRetry} />
  if (state.kind === 'pending') return state.isSlow && !hasHits ? <SearchSkeleton /> : null
  if (hasHits || state.kind === 'start') return null
  const widen = onWiden ? <WidenButton onWiden={onWiden}>search every library</WidenButton> : null
  return <NoResults query={query} library={library} widen={widen} onFollow={close} />
}

function WidenButton({ onWiden, children }: { onWiden: () => void; children: string }) {
  return (
    <button type="button" className="text-button" onClick={onWiden}>
      {children}
    </button>
  )
}

interface SearchResultsProps {
  ref: Ref<HTMLDivElement>
  hits: SearchHit[]
  /** Index of the selected hit. */
  selected: number
  onFollow: (hit: SearchHit, event: MouseEvent) => void
}

function SearchResults({ ref, hits, selected, onFollow }: SearchResultsProps) {
  const shell = useShell()
  // Renders the visible results first and defers the rest.
  const drawn = useDeferredValue(hits)
  const shown = drawn === hits || selected >= INITIAL_RESULTS ? hits : hits.slice(0, INITIAL_RESULTS)
  return (
    <div id={RESULTS_ID} ref={ref} role="listbox" aria-label="Results" hidden={hits.length === 0}>
      {shown.map((hit, at) => (
        <SearchResult
          key={hit.objectID}
          id={`${RESULTS_ID}-${at}`}
          hit={hit}
          href={localPath(hit.url, [shell.origin, location.origin + getBase()]) ?? anyUrl(hit.url)}
          selected={at === selected}
          onFollow={(event) => onFollow(hit, event)}
        />
      ))}
    </div>
  )
}

function facetOptions(attribute: string) {
  const sortBy: ('isRefined:desc' | 'count:desc' | 'name:asc')[] = ['isRefined:desc', 'count:desc', 'name:asc']
  return { attribute, operator: 'or' as const, limit: 50, sortBy }
}

function refinementValues({ refinements }: { refinements: { value: string | number }[] }): string[] {
  return refinements.map(({ value }) => `${value}`)
}

function hitTitle({ hierarchy }: SearchHit): string {
  return hierarchy.lvl1 ?? hierarchy.lvl0 ?? ''
}

const SHORTCUTS = [
  ['↑ ↓', 'to move'],
  ['↵', 'to open'],
  ['esc', 'to close'],
] as const

function ShortcutHints() {
  return (
    <p className="search-shortcuts" aria-hidden="true">
      {SHORTCUTS.map(([key, meaning]) => (
        <span key={key}>
          <kbd>{key}</kbd> {meaning}
        </span>
      ))}
    </p>
  )
}
