// The filters of the search, with counts.
import type { useRefinementList } from 'react-instantsearch'
import { libraryColors, colorStyle } from '../../lib/colors'
import type { SearchContext } from '../../lib/search'
import { LATEST } from '../../lib/version'
import { useShell } from '../ui/useShell'

type Facet = ReturnType<typeof useRefinementList>

interface Props {
  libraries: Facet
  frameworks: Facet
  /** The refined values of a facet. */
  chosenOf: (facet: string) => string[]
  /** Whether counts are shown. */
  counted: boolean
  /** Called when a value without hits is removed, and its chip with it. */
  onRemoved: () => void
  place: SearchContext
  version: string
  setVersion: (version: string) => void
}

export function SearchFilters({ libraries, frameworks, chosenOf, counted, onRemoved, place, version, setVersion }: Props) {
  const shell = useShell()
  const versions = place.version === LATEST ? [] : [LATEST, place.version]
  return (
    <div className="search-filters">
      <FilterGroup
        name="Libraries"
        facet={libraries}
        chosen={chosenOf('library')}
        counted={counted}
        onRemoved={onRemoved}
        labelOf={(id) => shell.libraries.find((library) => library.id === id)?.shortName ?? id}
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
        labelOf={(value) => shell.frameworks.find((framework) => framework.value === value)?.label ?? value}
        styleOf={(value) => {
          const framework = shell.frameworks.find((candidate) => candidate.value === value)
          return framework && colorStyle(framework.color)
        }}
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
              {name === LATEST ? 'Latest' : name}
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
  labelOf: (value: string) => string
  styleOf: (value: string) => ReturnType<typeof colorStyle> | undefined
}

function FilterGroup({ name, facet, chosen, counted, onRemoved, labelOf, styleOf }: FilterGroupProps) {
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
          {labelOf(item.value)} {counted ? <small>{item.count}</small> : null}
        </button>
      ))}
    </fieldset>
  )
}
