import type { BaseHit, Hit } from 'instantsearch.js'
import type { MouseEvent } from 'react'
import { Highlight, Snippet } from 'react-instantsearch'
import { libraryColors } from '../../lib/colors'
import { headingTrail } from '../../lib/search'
import { LATEST } from '../../lib/version'
import { LibraryLogo } from '../ui/LibraryLogo'
import { AnyLink } from '../ui/Link'
import type { ExternalUrl, SitePath } from '../../lib/paths'
import { useShell } from '../ui/useShell'

interface SectionRecord extends BaseHit {
  url: string
  library: string
  version: string[]
  /** Frameworks whose readers the section is for. */
  framework: string[]
  /** Frameworks that the section is about; none if it is the same for all. */
  about?: string[]
  kind: string
  hierarchy: Record<string, string | null>
}

export type SearchHit = Hit<SectionRecord>

const KIND_LABELS: Record<string, string> = { reference: 'API', example: 'Example', blog: 'Blog' }
const MAX_FRAMEWORKS = 3

interface Props {
  id: string
  hit: SearchHit
  href: SitePath | ExternalUrl
  selected: boolean
  onFollow: (event: MouseEvent) => void
}

/** A hit: a page and its matching section. The whole row is a link. */
export function SearchResult({ id, hit, href, selected, onFollow }: Props) {
  const shell = useShell()
  const library = shell.libraries.find((candidate) => candidate.id === hit.library)
  const version = hit.version.includes(LATEST) ? undefined : hit.version[0]
  const levels = ['lvl2', 'lvl3', 'lvl4', 'lvl5', 'lvl6'].filter((level) => hit.hierarchy[level])
  return (
    <AnyLink
      id={id}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      to={href}
      className="search-result"
      style={library && libraryColors(library)}
      onClick={onFollow}
    >
      {library ? <LibraryLogo library={library} /> : <span className="library-logo" />}
      <span className="search-result-text">
        <strong>
          <Highlight attribute={['hierarchy', 'lvl1']} hit={hit} />
        </strong>
        {headingTrail(hit.hierarchy).length > 0 ? (
          <span className="search-result-trail">
            {levels.map((level) => (
              <span key={level}>
                <Highlight attribute={['hierarchy', level]} hit={hit} />
              </span>
            ))}
          </span>
        ) : null}
        <span className="search-result-snippet">
          <Snippet attribute="content" hit={hit} />
        </span>
      </span>
      <span className="search-result-badges">
        {library ? <span className="badge">{library.shortName}</span> : null}
        {(hit.about ?? []).slice(0, MAX_FRAMEWORKS).map((value) => (
          <span key={value} className="badge">
            {shell.frameworks.find((framework) => framework.value === value)?.label ?? value}
          </span>
        ))}
        {KIND_LABELS[hit.kind] ? <span className="badge">{KIND_LABELS[hit.kind]}</span> : null}
        {version ? <span className="badge">{version}</span> : null}
      </span>
    </AnyLink>
  )
}
