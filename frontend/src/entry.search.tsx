// Bundle `search`: the search dialog, in a React root of its own, so that the page under it is not hydrated. The boot script
// loads it when the reader opens the search or points at its button.
import { createRoot } from 'react-dom/client'
import { preload } from 'react-dom'
import { callOverHttp, loader } from './api/call'
import type { SearchConfig, Shell } from './api/generated'
import { fetchShell } from './api/shared'
import { SearchDialog } from './components/search/SearchDialog'
import type { AreaAssets } from './components/ui/AreaStyles'
import { AreaAssetsContext } from './components/ui/AreaStyles'
import { ShellContext } from './components/ui/useShell'
import { SEARCH_WANTED } from './lib/events'
import { readSearchFromUrl, searchUrl } from './lib/search'

interface SearchData {
  shell: Shell
  /** Null while the search cannot be reached. */
  config: SearchConfig | null
}

let data: Promise<SearchData> | undefined
let openings = 0

async function fetchData(): Promise<SearchData> {
  const [shell, config] = await Promise.all([
    fetchShell(),
    loader(callOverHttp)('search.config', null).catch(() => {
      // The next opening tries again.
      data = undefined
      return null
    }),
  ])
  return { shell, config }
}

function readAssets(): AreaAssets {
  return JSON.parse(document.querySelector<HTMLElement>('script[data-app]')?.dataset.styles ?? '{}')
}

function mount(): (content: SearchData) => void {
  const container = document.createElement('div')
  // It stays over the pages that the reader visits, with what was typed.
  container.dataset.permanent = ''
  document.body.append(container)
  const root = createRoot(container)
  const assets = readAssets()
  return ({ shell, config }) =>
    root.render(
      <AreaAssetsContext value={assets}>
        <ShellContext value={shell}>
          <SearchDialog config={config} openCount={openings} />
        </ShellContext>
      </AreaAssetsContext>,
    )
}

let render: ((content: SearchData) => void) | undefined

async function open(): Promise<void> {
  try {
    const content = await (data ??= fetchData())
    openings += 1
    render ??= mount()
    render(content)
  } catch {
    data = undefined
    location.assign(searchUrl({ q: window.__kinfolk.pendingSearch ?? '' }))
  }
}

document.addEventListener(SEARCH_WANTED, (event) => {
  event.preventDefault()
  void open()
})

const { search: style } = readAssets()
if (style) preload(style, { as: 'style' })
data = fetchData()
const isInUrl = location.pathname !== '/search' && readSearchFromUrl(location.search).query !== ''
if (window.__kinfolk.pendingSearch !== undefined || isInUrl) void open()
else data.catch(() => undefined)
