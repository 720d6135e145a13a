// One search from the first key to the page it leads to.
import type { MouseEvent } from 'react'
import { useMemo, useState } from 'react'
import { Configure, InstantSearch } from 'react-instantsearch'
import type { SearchConfig, Shell } from '../../api/generated'
import type { Place } from '../../lib/search'
import { placeOf, searchIn } from '../../lib/search'
import { makeClient, tellClick } from './client'
import { Panel } from './Panel'

const HITS_ON_A_PAGE = 20
const STALLED_MS = 200

interface Props {
  shell: Shell
  config: SearchConfig
  wanted: number
  close: (event?: MouseEvent) => void
}

export function Finder({ shell, config, wanted, close }: Props) {
  const [failure, setFailure] = useState<string | null>(null)
  const client = useMemo(() => makeClient(config, setFailure), [config])
  // Each opening begins where the reader is then.
  const [opened, setOpened] = useState(() => begin(shell, wanted))
  const now = opened.wanted === wanted ? opened : begin(shell, wanted)
  if (now !== opened) setOpened(now)
  const { query, page } = searchIn(location.search)
  return (
    <InstantSearch
      key={now.key}
      searchClient={client}
      indexName={config.index}
      // The widgets' own state counts pages from one, as an address does.
      initialUiState={{ [config.index]: { ...chosen(now.place), query, page: page + 1 } }}
      stalledSearchDelay={STALLED_MS}
      insights={false}
      future={{ preserveSharedStateOnUnmount: true }}
    >
      <Versioned shell={shell} config={config} place={now.place} close={close} wanted={wanted} failure={failure} />
    </InstantSearch>
  )
}

interface Opened {
  wanted: number
  place: Place
  /** Somewhere else another search begins; in the same place the old one goes on. */
  key: string
}

function begin(shell: Shell, wanted: number): Opened {
  const place = placeOf(location.pathname, shell)
  return { wanted, place, key: `${place.library} ${place.framework} ${place.version}` }
}

function chosen({ library, framework }: Place) {
  return { refinementList: { library: library ? [library] : [], framework: framework ? [framework] : [] } }
}

interface VersionedProps extends Props {
  place: Place
  failure: string | null
}

function Versioned({ shell, config, place, wanted, close, failure }: VersionedProps) {
  const [version, setVersion] = useState(place.version)
  const framework = place.framework ?? document.documentElement.dataset.framework
  return (
    <>
      <Configure
        filters={`version:${version}`}
        hitsPerPage={HITS_ON_A_PAGE}
        // Gives each answer an id, which a click on one of its hits names.
        clickAnalytics
        attributesToRetrieve={['hierarchy', 'url', 'library', 'framework', 'about', 'kind', 'version']}
        attributesToSnippet={['content:18']}
        attributesToHighlight={['hierarchy']}
        // What the reader works with comes first, also where nothing is left out.
        optionalFilters={[
          ...(framework ? [`framework:${framework}`] : []),
          ...(place.library ? [`library:${place.library}`] : []),
        ]}
      />
      <Panel
        shell={shell}
        place={place}
        version={version}
        setVersion={setVersion}
        wanted={wanted}
        failure={failure}
        close={close}
        onChoose={(hit) => tellClick(config, hit)}
      />
    </>
  )
}
