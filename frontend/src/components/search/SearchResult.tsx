import type { BaseHit, Hit } from 'instantsearch.js'
import type { MouseEvent, ReactNode } from 'react'
import { Highlight, Snippet } from 'react-instantsearch'
import type { ExternalUrl, SitePath } from '../../lib/paths'
import { kindLabel, onlyLibrary } from '../../lib/search/search'
import { LATEST } from '../../lib/docs/version'
import { Name } from '../ui/Name'
import { useShell } from '../ui/useShell'
import { ResultRow } from './ResultRow'

interface SectionRecord extends BaseHit {
  url: string
  /** Several for a post, none for a page of the site. */
  library: string | string[]
  version: string[]
  /** Frameworks whose readers the section is for. */
  framework: string[]
  /** Frameworks that the section is about; none if it is the same for all. */
  about?: string[]
  kind: string
  hierarchy: Record<string, string | null>
}

export type SearchHit = Hit<SectionRecord>

const MAX_FRAMEWORKS = 3
const LEVELS = ['lvl2', 'lvl3', 'lvl4', 'lvl5', 'lvl6']

interface Props {
  id: string
  hit: SearchHit
  href: SitePath | ExternalUrl
  selected: boolean
  onFollow: (event: MouseEvent) => void
}

/** A heading with the words of the query marked. */
function HighlightedName({ attribute, hit }: { attribute: string[]; hit: SearchHit }) {
  return <Highlight attribute={attribute} hit={hit} highlightedTagName={Marked} nonHighlightedTagName={Unmarked} />
}

function Marked({ children }: { children?: ReactNode }) {
  return (
    <mark>
      <Unmarked>{children}</Unmarked>
    </mark>
  )
}

function Unmarked({ children }: { children?: ReactNode }) {
  return <>{typeof children === 'string' ? <Name text={children} /> : children}</>
}

export function SearchResult({ id, hit, href, selected, onFollow }: Props) {
  const shell = useShell()
  const frameworks = (hit.about ?? [])
    .slice(0, MAX_FRAMEWORKS)
    .map((value) => shell.frameworks.find((framework) => framework.value === value)?.label ?? value)
  const version = hit.version.includes(LATEST) ? undefined : hit.version[0]
  return (
    <ResultRow
      id={id}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      to={href}
      library={onlyLibrary(hit.library)}
      title={<HighlightedName attribute={['hierarchy', 'lvl1']} hit={hit} />}
      trail={LEVELS.filter((level) => hit.hierarchy[level]).map((level) => ({
        key: level,
        heading: <HighlightedName attribute={['hierarchy', level]} hit={hit} />,
      }))}
      text={<Snippet attribute="content" hit={hit} />}
      badges={[...frameworks, kindLabel(hit.kind), version].filter((label) => label !== undefined)}
      onClick={onFollow}
    />
  )
}
