import type { BaseHit, Hit } from 'instantsearch.js'
import type { MouseEvent } from 'react'
import { Highlight, Snippet } from 'react-instantsearch'
import type { Shell } from '../../api/generated'
import { hue } from '../../lib/hue'
import { trail } from '../../lib/search'
import { LATEST } from '../../lib/version'
import { LibraryMark } from '../ui/LibraryMark'

interface Section extends BaseHit {
  url: string
  library: string
  version: string[]
  /** Those whose reader it is for. */
  framework: string[]
  /** Those it is about; none where the framework changes nothing. */
  about?: string[]
  kind: string
  hierarchy: Record<string, string | null>
}

export type Found = Hit<Section>

const KINDS: Record<string, string> = { reference: 'API', example: 'Example', blog: 'Blog' }
const MOST_FRAMEWORKS = 3

interface Props {
  id: string
  hit: Found
  shell: Shell
  href: string
  selected: boolean
  onFollow: (event: MouseEvent) => void
}

/** A page, and the section of it that says what was asked. The whole row is its link. */
export function Result({ id, hit, shell, href, selected, onFollow }: Props) {
  const library = shell.libraries.find((candidate) => candidate.id === hit.library)
  const version = hit.version.includes(LATEST) ? undefined : hit.version[0]
  const levels = ['lvl2', 'lvl3', 'lvl4', 'lvl5', 'lvl6'].filter((level) => hit.hierarchy[level])
  return (
    <a
      id={id}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      href={href}
      className="search-result"
      style={library && hue(library)}
      onClick={onFollow}
    >
      {library ? <LibraryMark library={library} /> : <span className="library-mark" />}
      <span className="search-lines">
        <strong>
          <Highlight attribute={['hierarchy', 'lvl1']} hit={hit} />
        </strong>
        {trail(hit.hierarchy).length > 0 ? (
          <span className="search-trail">
            {levels.map((level) => (
              <span key={level}>
                <Highlight attribute={['hierarchy', level]} hit={hit} />
              </span>
            ))}
          </span>
        ) : null}
        <span className="search-text">
          <Snippet attribute="content" hit={hit} />
        </span>
      </span>
      <span className="search-marks">
        {library ? <span className="badge">{library.shortName}</span> : null}
        {(hit.about ?? []).slice(0, MOST_FRAMEWORKS).map((value) => (
          <span key={value} className="badge">
            {shell.frameworks.find((framework) => framework.value === value)?.label ?? value}
          </span>
        ))}
        {KINDS[hit.kind] ? <span className="badge">{KINDS[hit.kind]}</span> : null}
        {version ? <span className="badge">{version}</span> : null}
      </span>
    </a>
  )
}
