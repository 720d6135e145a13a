import type { MouseEvent } from 'react'
import type { ExternalUrl, SitePath } from '../../lib/paths'
import { kindLabel, onlyLibrary } from '../../lib/search/search'
import type { SearchHit } from '../../lib/search/searchHit'
import { readHighlights } from '../../lib/search/searchHit'
import { LATEST } from '../../lib/docs/version'
import { MarkedText } from './MarkedText'
import { Name } from '../ui/Name'
import { useShell } from '../ui/useShell'
import { ResultRow } from './ResultRow'
import { ResultText } from './ResultText'

const MAX_FRAMEWORKS = 3
const LEVELS = ['lvl2', 'lvl3', 'lvl4', 'lvl5', 'lvl6']

interface Props {
  id: string
  hit: SearchHit
  href: SitePath | ExternalUrl
  selected: boolean
  onFollow: (event: MouseEvent) => void
}

export function SearchResult({ id, hit, href, selected, onFollow }: Props) {
  const shell = useShell()
  const answer = hit._snippetResult?.answer
  const heading = (level: string) => <MarkedText pieces={readHighlights(hit._highlightResult?.hierarchy?.[level])} Text={Name} />
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
      title={heading('lvl1')}
      deprecated={hit.deprecated}
      deprecatedPage={hit.deprecated_page}
      trail={LEVELS.filter((level) => hit.hierarchy[level]).map((level) => ({
        key: level,
        heading: heading(level),
      }))}
      text={<ResultText text={readHighlights(hit._snippetResult?.content)} answer={answer && { text: readHighlights(answer.text), code: readHighlights(answer.code) }} />}
      badges={[...frameworks, kindLabel(hit.kind), version].filter((label) => label !== undefined)}
      onClick={onFollow}
    />
  )
}
