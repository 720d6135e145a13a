// The results as one list box, in groups where there are some of other libraries.
import type { MouseEvent, ReactNode, Ref } from 'react'
import { useDeferredValue } from 'react'
import { localPath } from '../../lib/search/search'
import type { SearchHit } from '../../lib/search/searchHit'
import { anyUrl, getBase } from '../../lib/paths'
import { useShell } from '../ui/useShell'
import { useLibraryNames } from './LibraryName'
import { SearchResult } from './SearchResult'
import type { HitGroup } from './useSearchResults'

export const RESULTS_ID = 'Site-search-results'
/** About as many results as fit into the dialog without scrolling. */
const INITIAL_RESULTS = 8

interface Props {
  ref: Ref<HTMLDivElement>
  groups: readonly HitGroup[]
  /** The chosen libraries. */
  libraries: readonly string[]
  /** Index of the selected hit, counted over all groups. */
  selected: number
  /** A row after the hits. */
  last: ReactNode
  isEmpty: boolean
  onFollow: (hit: SearchHit, event: MouseEvent) => void
}

export function SearchResults({ ref, groups, libraries, selected, last, isEmpty, onFollow }: Props) {
  const shell = useShell()
  const names = useLibraryNames(libraries)
  // Renders the visible results first and defers the rest.
  const drawn = useDeferredValue(groups)
  const most = drawn === groups || selected >= INITIAL_RESULTS ? Infinity : INITIAL_RESULTS
  const rows = groups.flatMap((group) => group.hits.map((hit) => ({ hit, isOther: group.isOther }))).slice(0, most)
  const options = (isOther: boolean) =>
    rows.map(({ hit, ...row }, at) =>
      row.isOther === isOther ? (
        <SearchResult
          key={hit.objectID}
          id={`${RESULTS_ID}-${at}`}
          hit={hit}
          href={localPath(hit.url, [shell.origin, location.origin + getBase()]) ?? anyUrl(hit.url)}
          selected={at === selected}
          onFollow={(event) => onFollow(hit, event)}
        />
      ) : null,
    )
  const hasOthers = groups.some(({ isOther }) => isOther)
  return (
    <div id={RESULTS_ID} ref={ref} role="listbox" aria-label="Results" hidden={isEmpty}>
      {groups.map(({ isOther }, at) =>
        hasOthers ? (
          <ResultGroup key={`${isOther}`} name={isOther ? 'In other libraries' : `In ${names}`} isNamed={isOther || at > 0}>
            {options(isOther)}
          </ResultGroup>
        ) : (
          options(isOther)
        ),
      )}
      {last}
    </div>
  )
}

interface ResultGroupProps {
  name: string
  /** Whether the name is shown. Screen readers have it in any case. */
  isNamed: boolean
  children: ReactNode
}

export function ResultGroup({ name, isNamed, children }: ResultGroupProps) {
  return (
    <div role="group" aria-label={name}>
      {isNamed ? (
        <p className="result-group-name" aria-hidden="true">
          {name}
        </p>
      ) : null}
      {children}
    </div>
  )
}
