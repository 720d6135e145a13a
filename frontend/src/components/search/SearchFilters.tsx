// The filters of the search, with counts.
import type { ComponentType } from 'react'
import { libraryColors, colorStyle } from '../../lib/colors'
import type { SearchContext } from '../../lib/search/search'
import type { FacetName, FacetValue } from '../../lib/search/searchRequests'
import { findFramework } from '../../lib/docs/framework'
import { LATEST, versionLabel } from '../../lib/docs/version'
import { FrameworkLabel } from '../ui/FrameworkLabel'
import { LibraryName } from './LibraryName'
import { useShell } from '../ui/useShell'

interface Props {
  libraries: FacetValue[]
  frameworks: FacetValue[]
  onToggle: (facet: FacetName, value: string) => void
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

export function SearchFilters({ libraries, frameworks, onToggle, counted, pending, onRemoved, place, version, setVersion }: Props) {
  const shell = useShell()
  const current = shell.libraries.find(({ id }) => id === place.library)
  const versions = place.version === LATEST ? [] : [LATEST, place.version]
  return (
    <div className="search-filters" data-pending={pending ? '' : undefined}>
      <FilterGroup
        name="Libraries"
        values={libraries}
        onToggle={(value) => onToggle('library', value)}
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
        values={frameworks}
        onToggle={(value) => onToggle('framework', value)}
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
  values: FacetValue[]
  onToggle: (value: string) => void
  /** Shows a value of the facet. */
  Label: ComponentType<{ value: string }>
  styleOf: (value: string) => ReturnType<typeof colorStyle> | undefined
}

function FilterGroup({ name, values, onToggle, counted, onRemoved, Label, styleOf }: FilterGroupProps) {
  if (values.length === 0) return null
  return (
    <fieldset className="chips" aria-label={name}>
      {values.map((item) => (
        <button
          key={item.value}
          type="button"
          className="chip"
          style={styleOf(item.value)}
          aria-pressed={item.isChosen}
          onClick={() => {
            onToggle(item.value)
            if (item.count === 0) onRemoved()
          }}
        >
          <Label value={item.value} /> {counted ? <small>{item.count}</small> : null}
        </button>
      ))}
    </fieldset>
  )
}
