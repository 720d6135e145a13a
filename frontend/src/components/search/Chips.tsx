// What a search can be narrowed to, with how much there is of each.
import type { useRefinementList } from 'react-instantsearch'
import type { Shell } from '../../api/generated'
import { hue, hueOf } from '../../lib/hue'
import type { Place } from '../../lib/search'
import { LATEST } from '../../lib/version'

type Facet = ReturnType<typeof useRefinementList>

interface Props {
  shell: Shell
  libraries: Facet
  frameworks: Facet
  /** The values that were chosen of a facet. */
  chosenOf: (facet: string) => string[]
  /** Whether something was asked, of which there is a number. */
  counted: boolean
  /** A chosen value of which there was nothing was given up, and its chip is gone. */
  onGone: () => void
  place: Place
  version: string
  setVersion: (version: string) => void
}

export function Chips({ shell, libraries, frameworks, chosenOf, counted, onGone, place, version, setVersion }: Props) {
  const versions = place.version === LATEST ? [] : [LATEST, place.version]
  return (
    <div className="search-chips">
      <Row
        name="Libraries"
        facet={libraries}
        chosen={chosenOf('library')}
        counted={counted}
        onGone={onGone}
        labelOf={(id) => shell.libraries.find((library) => library.id === id)?.shortName ?? id}
        styleOf={(id) => {
          const library = shell.libraries.find((candidate) => candidate.id === id)
          return library && hue(library)
        }}
      />
      <Row
        name="Frameworks"
        facet={frameworks}
        chosen={chosenOf('framework')}
        counted={counted}
        onGone={onGone}
        labelOf={(value) => shell.frameworks.find((framework) => framework.value === value)?.label ?? value}
        styleOf={(value) => {
          const framework = shell.frameworks.find((candidate) => candidate.value === value)
          return framework && hueOf(framework.color)
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

interface RowProps extends Pick<Props, 'counted' | 'onGone'> {
  name: string
  facet: Facet
  /** Those that were chosen, also where nothing is left to count. */
  chosen: readonly string[]
  labelOf: (value: string) => string
  styleOf: (value: string) => ReturnType<typeof hueOf> | undefined
}

function Row({ name, facet, chosen, counted, onGone, labelOf, styleOf }: RowProps) {
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
            if (gone.includes(item.value)) onGone()
          }}
        >
          {labelOf(item.value)} {counted ? <small>{item.count}</small> : null}
        </button>
      ))}
    </fieldset>
  )
}
