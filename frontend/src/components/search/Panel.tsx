// What the dialog shows: the box, the choices, what was found, the keys.
import type { Ref, RefObject } from 'react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useCurrentRefinements, useHits, useInstantSearch, usePagination, useRefinementList, useSearchBox } from 'react-instantsearch'
import type { Shell } from '../../api/generated'
import type { Place } from '../../lib/search'
import {
  FAVOURITES,
  forget,
  MOST_FAVOURITES,
  MOST_RECENT,
  ownAddress,
  RECENT,
  remember,
  withSearch,
} from '../../lib/search'
import { LATEST } from '../../lib/version'
import { Box } from './Box'
import { Chips } from './Chips'
import { KeptPages } from './KeptPages'
import { NothingFound } from './NothingFound'
import { Pages } from './Pages'
import type { Found } from './Result'
import { Result } from './Result'
import { useKept } from './useKept'
import { Words } from './Words'

const RESULTS = 'search-results'
const WRITE_DELAY_MS = 400
const NONE: Found[] = []
/** About as many results as the dialog shows without being scrolled. */
const FIRST_RESULTS = 8

interface Props {
  shell: Shell
  place: Place
  version: string
  setVersion: (version: string) => void
  wanted: number
  /** Why the last search has no answer. */
  failure: string | null
  close: () => void
  onChoose: (hit: Found) => void
}

export function Panel({ shell, place, version, setVersion, wanted, failure, close, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const found = useFound({ version, wanted, failure }, list)
  const { query, asked, hits, on } = found
  const { setIndexUiState, refresh } = useInstantSearch()
  const libraries = useRefinementList(facet('library'))
  const frameworks = useRefinementList(facet('framework'))
  const [, changeRecent] = useKept(RECENT)

  // Keeps the result that the keys are on in view.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [on])

  const leave = (hit: Found) => {
    onChoose(hit)
    const url = ownAddress(hit.url, [shell.origin, location.origin])
    if (url) changeRecent((old) => remember(old, { url, title: titleOf(hit), library: hit.library }, MOST_RECENT))
    close()
  }
  // Known also where nothing was found, and nothing can be counted.
  const { items: narrowed } = useCurrentRefinements()
  const chosen = narrowed.flatMap(({ refinements, refine }) => refinements.map((one) => () => refine(one)))
  const widen = () => {
    setVersion(LATEST)
    setIndexUiState({ query })
  }

  return (
    <>
      <Box
        results={RESULTS}
        at={hits.length > 0 ? on : null}
        count={hits.length}
        onMove={found.moveTo}
        wanted={wanted}
        onOpen={(apart) => follow(list.current?.querySelector('[aria-selected="true"]') ?? null, apart)}
        onWiden={() => chosen.at(-1)?.()}
        close={close}
      />
      {asked || chosen.length > 0 ? (
        <Chips
          shell={shell}
          libraries={libraries}
          frameworks={frameworks}
          chosenOf={(name) => narrowed.filter(({ attribute }) => attribute === name).flatMap(valuesOf)}
          place={place}
          version={version}
          setVersion={setVersion}
        />
      ) : null}
      <output className="sr-only">{found.said}</output>
      <div className="search-found" aria-busy={found.late} data-status={found.late ? 'stalled' : undefined}>
        {failure === null ? null : <Failure message={failure} retry={refresh} />}
        {asked ? null : <Before shell={shell} close={close} />}
        {found.nothing ? (
          <NothingFound
            shell={shell}
            place={place}
            onWiden={chosen.length > 0 || version !== LATEST ? widen : undefined}
            close={close}
          />
        ) : null}
        <Results ref={list} hits={hits} on={on} shell={shell} onFollow={leave} />
      </div>
      {asked ? <Pages /> : null}
      <Keys />
    </>
  )
}

/** What was found, and where in it the keys are: each new answer and each opening begins at the first result. */
function useFound({ version, wanted, failure }: Pick<Props, 'version' | 'wanted' | 'failure'>, list: RefObject<HTMLDivElement | null>) {
  const { query } = useSearchBox()
  const { items, results } = useHits<Found>()
  const { status } = useInstantSearch()
  const { currentRefinement: page } = usePagination({ padding: 2 })
  const [focus, setFocus] = useState({ on: 0, answer: '', wanted })
  const answer = `${query} ${page} ${version} ${results?.query}`
  if (focus.answer !== answer || focus.wanted !== wanted) setFocus({ on: 0, answer, wanted })

  // Follows the search with the address, a moment behind the keys.
  useEffect(() => {
    const write = () => {
      // Whoever has followed a result by now is on a page of its own.
      if (!list.current?.closest('dialog')?.open) return
      history.replaceState(history.state, '', withSearch(location.href, query, page))
    }
    const timer = setTimeout(write, WRITE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [query, page, list])

  const asked = query.trim() !== ''
  const hits = asked ? items : NONE
  const settled = asked && status === 'idle' && failure === null
  return {
    query,
    asked,
    hits,
    on: focus.on,
    moveTo: (on: number) => setFocus({ ...focus, on }),
    late: status === 'stalled',
    nothing: settled && hits.length === 0,
    /** For those who do not see the list. */
    said: settled ? counted(results?.nbHits ?? 0) : '',
  }
}

/** Open a result, here or beside the page. */
function follow(link: HTMLAnchorElement | null, apart: boolean): void {
  if (link && apart) window.open(link.href, '_blank', 'noopener')
  else link?.click()
}

interface ResultsProps {
  ref: Ref<HTMLDivElement>
  hits: Found[]
  /** The one that the keys are on. */
  on: number
  shell: Shell
  onFollow: (hit: Found) => void
}

function Results({ ref, hits, on, shell, onFollow }: ResultsProps) {
  // Those that are seen are painted first, and the rest is drawn while they are looked at.
  const drawn = useDeferredValue(hits)
  const shown = drawn === hits || on >= FIRST_RESULTS ? hits : hits.slice(0, FIRST_RESULTS)
  return (
    <div id={RESULTS} ref={ref} role="listbox" aria-label="Results" hidden={hits.length === 0}>
      {shown.map((hit, at) => (
        <Result
          key={hit.objectID}
          id={`${RESULTS}-${at}`}
          hit={hit}
          shell={shell}
          href={ownAddress(hit.url, [shell.origin, location.origin]) ?? hit.url}
          selected={at === on}
          onFollow={() => onFollow(hit)}
        />
      ))}
    </div>
  )
}

function Failure({ message, retry }: { message: string; retry: () => void }) {
  return (
    <Words title="The search did not answer" text={message}>
      <button type="button" className="button" onClick={retry}>
        Try again
      </button>
    </Words>
  )
}

/** What stands here before anything is typed: what this is for, and pages to go back to. */
function Before({ shell, close }: Pick<Props, 'shell' | 'close'>) {
  const [recent, changeRecent] = useKept(RECENT)
  const [favourites, changeFavourites] = useKept(FAVOURITES)
  return (
    <>
      <Words title="Search the product" text="Start typing to search through our documentation, guides, and more." />
      <KeptPages
        name="Favourites"
        pages={favourites}
        shell={shell}
        close={close}
        onRemove={(url) => changeFavourites((old) => forget(old, url))}
      />
      <KeptPages
        name="Recent"
        pages={recent.filter(({ url }) => favourites.every((other) => other.url !== url))}
        shell={shell}
        close={close}
        onKeep={(kept) => changeFavourites((old) => remember(old, kept, MOST_FAVOURITES))}
        onRemove={(url) => changeRecent((old) => forget(old, url))}
      />
    </>
  )
}

function facet(attribute: string) {
  const sortBy: ('isRefined:desc' | 'count:desc' | 'name:asc')[] = ['isRefined:desc', 'count:desc', 'name:asc']
  return { attribute, operator: 'or' as const, limit: 50, sortBy }
}

function valuesOf({ refinements }: { refinements: { value: string | number }[] }): string[] {
  return refinements.map(({ value }) => `${value}`)
}

function titleOf({ hierarchy }: Found): string {
  return hierarchy.lvl1 ?? hierarchy.lvl0 ?? ''
}

function counted(count: number): string {
  return count === 1 ? '1 result' : `${count} results`
}

const KEYS = [
  ['↑ ↓', 'to move'],
  ['↵', 'to open'],
  ['esc', 'to close'],
] as const

function Keys() {
  return (
    <p className="search-keys" aria-hidden="true">
      {KEYS.map(([key, meaning]) => (
        <span key={key}>
          <kbd>{key}</kbd> {meaning}
        </span>
      ))}
    </p>
  )
}
