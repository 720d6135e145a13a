// What the dialog shows: the box, the choices, what was found, the keys.
import type { MouseEvent, Ref } from 'react'
import { useDeferredValue, useEffect, useRef } from 'react'
import { useCurrentRefinements, useInstantSearch, useRefinementList } from 'react-instantsearch'
import type { Shell } from '../../api/generated'
import type { Place } from '../../lib/search'
import { MOST_RECENT, ownAddress, RECENT, remember } from '../../lib/search'
import { LATEST } from '../../lib/version'
import { Before } from './Before'
import { Box } from './Box'
import { Chips } from './Chips'
import { NothingFound } from './NothingFound'
import { Pages } from './Pages'
import type { Found } from './Result'
import { Result } from './Result'
import { useFound } from './useFound'
import { useKept } from './useKept'
import { Words } from './Words'

const RESULTS = 'search-results'
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
  close: (event?: MouseEvent) => void
  onChoose: (hit: Found) => void
}

export function Panel({ shell, place, version, setVersion, wanted, failure, close, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const found = useFound({ wanted, failure }, list)
  const { query, asked, results, hits, on } = found
  const { setIndexUiState, refresh } = useInstantSearch()
  const libraries = useRefinementList(facet('library'))
  const frameworks = useRefinementList(facet('framework'))
  const [, changeRecent] = useKept(RECENT)

  // Keeps the result that the keys are on in view, also among those of another answer.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [on, results])

  // Where the button that had the focus goes with what it has done.
  const toBox = () => box.current?.focus()
  const choose = (hit: Found) => {
    onChoose(hit)
    const url = ownAddress(hit.url, [shell.origin, location.origin])
    if (url) changeRecent((old) => remember(old, { url, title: titleOf(hit), library: hit.library }, MOST_RECENT))
  }
  const open = (apart: boolean) => {
    const link = list.current?.querySelector<HTMLAnchorElement>('[aria-selected="true"]')
    const hit = hits[on]
    if (!apart) link?.click()
    else if (link && hit) {
      choose(hit)
      window.open(link.href, '_blank', 'noopener')
    }
  }
  // Known also where nothing was found, and nothing can be counted.
  const { items: narrowed } = useCurrentRefinements()
  const chosen = narrowed.flatMap(({ refinements, refine }) => refinements.map((one) => () => refine(one)))
  const widen = () => {
    setVersion(LATEST)
    setIndexUiState({ query })
    toBox()
  }
  const retry = () => {
    refresh()
    toBox()
  }

  return (
    <>
      <Box
        input={box}
        results={RESULTS}
        at={hits.length > 0 ? on : null}
        count={hits.length}
        answered={found.answered}
        onMove={found.moveTo}
        wanted={wanted}
        onOpen={open}
        onWiden={() => chosen.at(-1)?.()}
        close={close}
      />
      {asked || chosen.length > 0 ? (
        <Chips
          shell={shell}
          libraries={libraries}
          frameworks={frameworks}
          chosenOf={(name) => narrowed.filter(({ attribute }) => attribute === name).flatMap(valuesOf)}
          counted={found.counted}
          onGone={toBox}
          place={place}
          version={version}
          setVersion={(name) => {
            setVersion(name)
            setIndexUiState((now) => ({ ...now, page: 1 }))
          }}
        />
      ) : null}
      <output className="sr-only">{found.said}</output>
      <div className="search-found" aria-busy={found.late} data-status={found.late ? 'stalled' : undefined}>
        {failure === null ? null : <Failure message={failure} retry={retry} />}
        {asked ? null : <Before shell={shell} close={close} onGone={toBox} />}
        {found.nothing ? (
          <NothingFound
            shell={shell}
            place={place}
            onWiden={chosen.length > 0 || version !== LATEST ? widen : undefined}
            close={close}
          />
        ) : null}
        <Results ref={list} hits={hits} on={on} shell={shell} onFollow={(hit, event) => {
            choose(hit)
            close(event)
          }} />
      </div>
      {asked ? <Pages onEnd={toBox} /> : null}
      <Keys />
    </>
  )
}

/** Open a result, here or beside the page. */
interface ResultsProps {
  ref: Ref<HTMLDivElement>
  hits: Found[]
  /** The one that the keys are on. */
  on: number
  shell: Shell
  onFollow: (hit: Found, event: MouseEvent) => void
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
          onFollow={(event) => onFollow(hit, event)}
        />
      ))}
    </div>
  )
}

function Failure({ message, retry }: { message: string; retry: () => void }) {
  return (
    <div role="alert">
      <Words title="The search did not answer" text={message}>
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      </Words>
    </div>
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
