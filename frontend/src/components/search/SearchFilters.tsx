// The filters of the search, with counts.
import type { ComponentType } from 'react'
import type { useRefinementList } from 'react-instantsearch'
import { libraryColors, colorStyle } from '../../lib/colors'
import type { SearchContext } from '../../lib/search/search'
import { findFramework } from '../../lib/docs/framework'
import { LATEST, versionLabel } from '../../lib/docs/version'
import { FrameworkLabel } from '../ui/FrameworkLabel'
import { LibraryName } from './LibraryName'
import { useShell } from '../ui/useShell'

type Facet = ReturnType<typeof useRefinementList>

interface Props {
  libraries: Facet
  frameworks: Facet
  /** The refined values of a facet. */
  chosenOf: (facet: string) => string[]
  /** Whether counts are shown. */
  counted: boolean
  /** Whether the counts are those of an earlier query: they keep their place and are hidden. */
  pending: boolean
  /** Called when a value without hits is removed, and its chip with it. */
  onRemoved: () => void
  place: SearchContext
  version: string
  setVersion: (version: string) => void
}

export function SearchFilters({ libraries, frameworks, chosenOf, counted, pending, onRemoved, place, version, setVersion }: Props) {
  const shell = useShell()
  const current = shell.libraries.find(({ id }) => id === place.library)
  const versions = place.version === LATEST ? [] : [LATEST, place.version]
  return (
    <div className="search-filters" data-pending={pending ? '' : undefined}>
      <FilterGroup
        name="Libraries"
        facet={libraries}
        chosen={chosenOf('library')}
        counted={counted}
        onRemoved={onRemoved}
        Label={LibraryName}
        styleOf={(id) => {
          const library = shell.libraries.find((candidate) => candidate.id === id)
          return library && libraryColors(library)
        }}
      />
      <FilterGroup
        name="Frameworks"
        facet={frameworks}
        chosen={chosenOf('framework')}
        counted={counted}
        onRemoved={onRemoved}
        Label={FrameworkLabel}
        styleOf={(value) => colorStyle(findFramework(shell.frameworks, value).color)}
      />
      {versions.length > 0 ? (
        <fieldset className="chips" aria-label="Version">
          {versions.map((name) => (
            <button
              key={name}
              type="button"
              className="chip"
              aria-pressed={name === version}
              onClick={() => setVersion(name)}
            >
              {current ? versionLabel(current, name) : name}
            </button>
          ))}
        </fieldset>
      ) : null}
    </div>
  )
}

interface FilterGroupProps extends Pick<Props, 'counted' | 'onRemoved'> {
  name: string
  facet: Facet
  /** The refined values, including those without hits. */
  chosen: readonly string[]
  /** Shows a value of the facet. */
  Label: ComponentType<{ value: string }>
  styleOf: (value: string) => ReturnType<typeof colorStyle> | undefined
}

function FilterGroup({ name, facet, chosen, counted, onRemoved, Label, styleOf }: FilterGroupProps) {
  const gone = chosen.filter((value) => facet.items.every((item) => item.value !== value))
  const items = [...gone.map((value) => ({ value, count: 0, isRefined: true })), ...facet.items]
  if (items.length === 0) return null
  return (
    <fieldset className="chips" aria-label={name}>
      {items.map((item) => (
        <button
          key={item.value}
          type="button"
          className="chip"
          style={styleOf(item.value)}
          aria-pressed={item.isRefined}
          onClick={() => {
            facet.refine(item.value)
            if (gone.includes(item.value)) onRemoved()
          }}
        >
          <Label value={item.value} /> {counted ? <small>{item.count}</small> : null}
        </button>
      ))}
    </fieldset>
  )
}
