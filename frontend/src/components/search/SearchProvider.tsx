// Connects the content of the dialog with a search, which begins again on a page of another library, framework or version.
import type { MouseEvent } from 'react'
import { useEffect, useMemo, useState } from 'react'
import type { SearchConfig, Shell } from '../../api/generated'
import type { SearchContext } from '../../lib/search/search'
import { readSearchContext, readSearchFromUrl, startLibraries } from '../../lib/search/search'
import { SearchStore } from '../../lib/search/searchStore'
import { createLazyStaticClient, createSearchClient, sendClick } from './searchClient'
import { SearchContent } from './SearchContent'
import { useShell } from '../ui/useShell'
import { currentPath } from '../../lib/paths'

interface Props {
  config: SearchConfig
  openCount: number
  close: (event?: MouseEvent) => void
}

export function SearchProvider({ config, openCount, close }: Props) {
  const shell = useShell()
  const client = useMemo(() => (shell.isStatic ? createLazyStaticClient() : createSearchClient(config)), [config, shell.isStatic])
  // Each opening reads the library, framework and version of the current page.
  const [opened, setOpened] = useState(() => startSession(shell, openCount))
  const now = opened.openCount === openCount ? opened : startSession(shell, openCount)
  if (now !== opened) setOpened(now)
  const store = useMemo(
    () => {
      const { library, framework, version } = now.place
      const preferred = framework ?? document.documentElement.dataset.framework
      return new SearchStore(client, { index: config.index, library, framework: preferred }, {
        ...readSearchFromUrl(location.search),
        library: startLibraries(shell, library),
        framework: framework ? [framework] : [],
        version,
      })
    },
    // oxlint-disable-next-line react/exhaustive-deps -- the same key continues the previous search
    [client, now.key],
  )
  useEffect(() => void store.search(), [store])
  return (
    <SearchContent
      key={now.key}
      store={store}
      place={now.place}
      config={config}
      openCount={openCount}
      close={close}
      onChoose={(hit) => {
        if (!shell.isStatic) sendClick(config, hit)
      }}
    />
  )
}

interface SearchSession {
  openCount: number
  place: SearchContext
  key: string
}

function startSession(shell: Shell, openCount: number): SearchSession {
  const place = readSearchContext(currentPath(), shell)
  return { openCount, place, key: `${place.library} ${place.framework} ${place.version}` }
}
