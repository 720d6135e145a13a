// Connects the widgets of the dialog with the search client.
import type { MouseEvent } from 'react'
import { useMemo, useState } from 'react'
import { Configure, InstantSearch } from 'react-instantsearch'
import type { SearchConfig, Shell } from '../../api/generated'
import type { FailedSearch, SearchContext } from '../../lib/search/search'
import { readSearchContext, readSearchFromUrl } from '../../lib/search/search'
import { createLazyStaticClient, createSearchClient, sendClick } from './searchClient'
import { SearchContent } from './SearchContent'
import { useShell } from '../ui/useShell'
import { currentPath } from '../../lib/paths'

const HITS_PER_PAGE = 20
const STALLED_MS = 200

interface Props {
  config: SearchConfig
  openCount: number
  close: (event?: MouseEvent) => void
}

export function SearchProvider({ config, openCount, close }: Props) {
  const shell = useShell()
  const [failure, setFailure] = useState<FailedSearch | null>(null)
  const client = useMemo(() => (shell.isStatic ? createLazyStaticClient(setFailure) : createSearchClient(config, setFailure)), [config, shell.isStatic])
  // Each opening reads the library, framework and version of the current page.
  const [opened, setOpened] = useState(() => startSession(shell, openCount))
  const now = opened.openCount === openCount ? opened : startSession(shell, openCount)
  if (now !== opened) setOpened(now)
  const { query, page } = readSearchFromUrl(location.search)
  return (
    <InstantSearch
      key={now.key}
      searchClient={client}
      indexName={config.index}
      // The widgets' UI state counts pages from one.
      initialUiState={{ [config.index]: { ...initialRefinements(now.place), query, page: page + 1 } }}
      stalledSearchDelay={STALLED_MS}
      insights={false}
      future={{ preserveSharedStateOnUnmount: true }}
    >
      <VersionFilteredSearch config={config} place={now.place} close={close} openCount={openCount} failure={failure} />
    </InstantSearch>
  )
}

interface SearchSession {
  openCount: number
  place: SearchContext
  /** Another key starts a new search; the same key continues the previous one. */
  key: string
}

function startSession(shell: Shell, openCount: number): SearchSession {
  const place = readSearchContext(currentPath(), shell)
  return { openCount, place, key: `${place.library} ${place.framework} ${place.version}` }
}

function initialRefinements({ library, framework }: SearchContext) {
  return { refinementList: { library: library ? [library] : [], framework: framework ? [framework] : [] } }
}

interface VersionFilteredSearchProps extends Props {
  place: SearchContext
  failure: FailedSearch | null
}

function VersionFilteredSearch({ config, place, openCount, close, failure }: VersionFilteredSearchProps) {
  const [version, setVersion] = useState(place.version)
  const { isStatic } = useShell()
  const framework = place.framework ?? document.documentElement.dataset.framework
  return (
    <>
      <Configure
        filters={`version:${version}`}
        hitsPerPage={HITS_PER_PAGE}
        // Gives each response a query id, which click events refer to.
        clickAnalytics
        attributesToRetrieve={['hierarchy', 'url', 'library', 'framework', 'about', 'kind', 'version']}
        attributesToSnippet={['content:18']}
        attributesToHighlight={['hierarchy']}
        // Ranks the reader's framework and library first without filtering.
        optionalFilters={[
          ...(framework ? [`framework:${framework}`] : []),
          ...(place.library ? [`library:${place.library}`] : []),
        ]}
      />
      <SearchContent
        place={place}
        examples={config.examples}
        version={version}
        setVersion={setVersion}
        openCount={openCount}
        failure={failure}
        close={close}
        onChoose={(hit) => {
          if (!isStatic) sendClick(config, hit)
        }}
      />
    </>
  )
}
