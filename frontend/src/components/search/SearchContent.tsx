// The content of the dialog: box, filters, results, pagination.
import type { MouseEvent, Ref } from 'react'
import { useDeferredValue, useEffect, useRef } from 'react'
import { useCurrentRefinements, useInstantSearch, useRefinementList } from 'react-instantsearch'
import type { SearchContext } from '../../lib/search'
import { MAX_RECENT, localPath, RECENT, addSavedPage } from '../../lib/search'
import { LATEST } from '../../lib/version'
import { SearchStart } from './SearchStart'
import { SearchBox } from './SearchBox'
import { SearchFilters } from './SearchFilters'
import { NoResults } from './NoResults'
import { SearchPagination } from './SearchPagination'
import type { SearchHit } from './SearchResult'
import { SearchResult } from './SearchResult'
import { useSearchResults } from './useSearchResults'
import { useSavedPages } from './useSavedPages'
import { EmptyState } from './EmptyState'
import { Button } from '../ui/Button'
import { anyUrl } from '../../lib/paths'
import { useShell } from '../ui/useShell'

const RESULTS_ID = 'search-results'
/** About as many results as fit into the dialog without scrolling. */
const INITIAL_RESULTS = 8

interface Props {
  place: SearchContext
  version: string
  setVersion: (version: string) => void
  openCount: number
  /** The error of the last search, if it failed. */
  failure: string | null
  close: (event?: MouseEvent) => void
  onChoose: (hit: SearchHit) => void
}

export function SearchContent({ place, version, setVersion, openCount, failure, close, onChoose }: Props) {
  const shell = useShell()
  const list = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const found = useSearchResults({ openCount, failure }, list)
  const { query, hasQuery, results, hits, selected } = found
  const { setIndexUiState, refresh } = useInstantSearch()
  const libraries = useRefinementList(facetOptions('library'))
  const frameworks = useRefinementList(facetOptions('framework'))
  const [, changeRecent] = useSavedPages(RECENT)

  // Scrolls the selected result into view, also after a new response.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected, results])

  // Refocus the input: the clicked button unmounts.
  const focusBox = () => box.current?.focus()
  const choose = (hit: SearchHit) => {
    onChoose(hit)
    const url = localPath(hit.url, [shell.origin, location.origin])
    if (url) changeRecent((old) => addSavedPage(old, { url, title: hitTitle(hit), library: hit.library }, MAX_RECENT))
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
  const retry = () => {
    refresh()
    focusBox()
  }

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
          onRemoved={focusBox}
          place={place}
          version={version}
          setVersion={(name) => {
            setVersion(name)
            setIndexUiState((now) => ({ ...now, page: 1 }))
          }}
        />
      ) : null}
      <output className="sr-only">{found.announcement}</output>
      <div className="search-body" aria-busy={found.isStalled} data-status={found.isStalled ? 'stalled' : undefined}>
        {failure === null ? null : <SearchFailure message={failure} retry={retry} />}
        {hasQuery ? null : <SearchStart close={close} onRemoved={focusBox} />}
        {found.isEmpty ? (
          <NoResults
            place={place}
            onWiden={chosen.length > 0 || version !== LATEST ? widen : undefined}
            close={close}
          />
        ) : null}
        <SearchResults ref={list} hits={hits} selected={selected} onFollow={(hit, event) => {
            choose(hit)
            close(event)
          }} />
      </div>
      {hasQuery ? <SearchPagination onEnd={focusBox} /> : null}
      <ShortcutHints />
    </>
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
          href={localPath(hit.url, [shell.origin, location.origin]) ?? anyUrl(hit.url)}
          selected={at === selected}
          onFollow={(event) => onFollow(hit, event)}
        />
      ))}
    </div>
  )
}

function SearchFailure({ message, retry }: { message: string; retry: () => void }) {
  return (
    <div role="alert">
      <EmptyState title="The search did not answer" text={message}>
        <Button onClick={retry}>
          Try again
        </Button>
      </EmptyState>
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
