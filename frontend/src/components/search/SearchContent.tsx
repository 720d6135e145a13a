// The content of the dialog: box, filters, results, pagination.
import type { MouseEvent, ReactNode } from 'react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { SearchConfig } from '../../api/generated'
import type { SearchContext } from '../../lib/search/search'
import { MAX_RECENT, localPath, onlyLibrary, RECENT, addSavedPage } from '../../lib/search/search'
import type { SearchHit } from '../../lib/search/searchHit'
import type { FacetName } from '../../lib/search/searchRequests'
import { facetValues } from '../../lib/search/searchRequests'
import type { SearchStore } from '../../lib/search/searchStore'
import { LATEST } from '../../lib/docs/version'
import { SearchStart } from './SearchStart'
import type { SearchSuggestion } from './SearchBox'
import { SearchBox } from './SearchBox'
import { SearchFilters } from './SearchFilters'
import { NoResults } from './NoResults'
import { SearchFailure } from './SearchFailure'
import { SearchPagination } from './SearchPagination'
import { RESULTS_ID, SearchResults } from './SearchResults'
import { useLibraryNames } from './LibraryName'
import { useAnnouncement } from './useAnnouncement'
import type { HitGroup, SearchState } from './useSearchResults'
import { useSearchResults } from './useSearchResults'
import { SearchSkeleton } from './SearchSkeleton'
import { ShortcutHints } from './ShortcutHints'
import type { OpenAnswerProps } from './useAnswering'
import { AskOption, OpenAnswer, useAnswering } from './useAnswering'
import { useSavedPages } from './useSavedPages'
import { getBase } from '../../lib/paths'
import { useShell } from '../ui/useShell'

interface Props {
  store: SearchStore
  place: SearchContext
  config: SearchConfig
  openCount: number
  close: (event?: MouseEvent) => void
  onChoose: (hit: SearchHit) => void
}

export function SearchContent({ store, place, config, openCount, close, onChoose }: Props) {
  const shell = useShell()
  const list = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const found = useSearchResults(store, { openCount, ignoredWords: config.ignoredWords }, list)
  const { parameters, state, answer, groups, hits, selected } = found
  const { query, version } = parameters
  const hasQuery = state.kind !== 'start'
  const [, changeRecent] = useSavedPages(RECENT)
  const [suggestion, setSuggestion] = useState<SearchSuggestion | null>(null)

  // Scrolls the selected result into view, also after a new response.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected, answer])

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
  const toggle = (facet: FacetName, value: string) => {
    const chosen = parameters[facet]
    store.change({ [facet]: chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value] })
  }
  const chosen = (['library', 'framework'] as const).flatMap((facet) => parameters[facet].map((value) => () => toggle(facet, value)))
  const widen = () => {
    store.change({ library: [], framework: [], version: LATEST })
    focusBox()
  }
  // An example may be about any library.
  const suggest = (text: string) => {
    widen()
    setSuggestion({ text })
  }
  const retry = () => {
    void store.search()
    focusBox()
  }
  const hasFailed = state.kind === 'failed'
  const turn = useCallback((page: number) => store.change({ page }), [store])
  // A lost connection is back.
  useEffect(() => {
    if (!hasFailed) return undefined
    addEventListener('online', store.search)
    return () => removeEventListener('online', store.search)
  }, [hasFailed, store])
  const isNarrowed = chosen.length > 0 || version !== LATEST
  const answering = useAnswering(parameters, { isAnswered: state.kind === 'answered', hitCount: hits.length })
  const rows = (
    <SearchResults
      key={found.listKey}
      ref={list}
      groups={groups}
      libraries={parameters.library}
      selected={selected}
      last={<AskOption answering={answering} query={query} id={`${RESULTS_ID}-${hits.length}`} selected={selected === hits.length} />}
      isEmpty={answering.rowCount === 0}
      onFollow={(hit, event) => {
        choose(hit)
        close(event)
      }}
    />
  )
  // Without results, the row that asks is the first thing.
  const [before, after] = groups.length > 0 ? [null, rows] : [rows, null]
  const valuesOf = (facet: FacetName) => facetValues(answer?.counts[facet] ?? {}, parameters[facet])

  return (
    <>
      <SearchBox
        query={query}
        isLoading={found.isLoading}
        onSearch={(words) => store.change({ query: words })}
        input={box}
        results={RESULTS_ID}
        at={answering.rowCount > 0 ? selected : null}
        count={answering.rowCount}
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
          libraries={valuesOf('library')}
          frameworks={valuesOf('framework')}
          onToggle={toggle}
          counted={found.hasCounts}
          pending={state.kind === 'pending'}
          onRemoved={focusBox}
          place={place}
          version={version}
          setVersion={(name) => store.change({ version: name })}
        />
      ) : null}
      <output className="sr-only">{useAnnouncement(state, parameters)}</output>
      <SearchBody state={state} answering={answering} onBack={focusBox} onFollow={close}>
        {before}
        {state.kind === 'start' ? (
          <SearchStart
            examples={config.examples}
            onTry={suggest}
            close={close}
            onRemoved={focusBox}
          />
        ) : (
          <InPlaceOfResults
            state={state}
            query={query}
            library={place.library}
            chosenLibraries={parameters.library}
            groups={groups}
            onWiden={isNarrowed ? widen : undefined}
            onRetry={retry}
            close={close}
          />
        )}
        {after}
        {groups.some(({ isOther }) => !isOther) && isNarrowed ? (
          <p className="search-widen">
            Not what you are looking for? <WidenButton onWiden={widen}>Search every library</WidenButton>
          </p>
        ) : null}
      </SearchBody>
      {hasQuery && answer ? (
        <SearchPagination page={parameters.page} pages={answer.pages} onTurn={turn} onEnd={focusBox} />
      ) : null}
      <ShortcutHints />
    </>
  )
}

interface SearchBodyProps extends OpenAnswerProps {
  state: SearchState
  children: ReactNode
}

function SearchBody({ state, children, ...answer }: SearchBodyProps) {
  const isSlow = state.kind === 'pending' && state.isSlow
  return (
    <div
      className="search-body"
      aria-busy={isSlow}
      data-status={isSlow ? 'stalled' : undefined}
      data-searching={state.kind === 'start' ? undefined : ''}
    >
      {answer.answering.requested ? <OpenAnswer {...answer} /> : children}
    </div>
  )
}

interface InPlaceOfResultsProps {
  state: SearchState
  query: string
  library: string | null
  chosenLibraries: readonly string[]
  /** Of the last answer, be it to an earlier query. */
  groups: readonly HitGroup[]
  /** Undefined without filters. */
  onWiden: (() => void) | undefined
  onRetry: () => void
  close: (event?: MouseEvent) => void
}

function InPlaceOfResults({ state, query, library, chosenLibraries, groups, onWiden, onRetry, close }: InPlaceOfResultsProps) {
  const names = useLibraryNames(chosenLibraries)
  if (state.kind === 'failed') return <SearchFailure failure={state.failure} onRetry={onRetry} />
  if (state.kind === 'pending') return state.isSlow && groups.length === 0 ? <SearchSkeleton /> : null
  if (state.kind === 'start' || groups.some(({ isOther }) => !isOther)) return null
  const widen = (text: string) => (onWiden ? <WidenButton onWiden={onWiden}>{text}</WidenButton> : null)
  if (groups.length === 0) return <NoResults query={query} library={library} widen={widen('search every library')} onFollow={close} />
  return (
    <p className="search-widen">
      No results in {names}. {widen('Search every library')}
    </p>
  )
}

function WidenButton({ onWiden, children }: { onWiden: () => void; children: string }) {
  return (
    <button type="button" className="text-button" onClick={onWiden}>
      {children}
    </button>
  )
}

function hitTitle({ hierarchy }: SearchHit): string {
  return hierarchy.lvl1 ?? hierarchy.lvl0 ?? ''
}
