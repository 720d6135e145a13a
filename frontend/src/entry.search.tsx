// Bundle `search`: the search dialog, in a React root of its own, so that the page under it is not hydrated. The boot script
// loads it when the reader opens the search or points at its button.
import { createRoot } from 'react-dom/client'
import type { SearchData } from './api/searchData'
import { fetchSearchData } from './api/searchData'
import { SearchDialog } from './components/search/SearchDialog'
import { ShellContext } from './components/ui/useShell'
import { readAreaFiles } from './lib/areaFiles'
import { SEARCH_FAILED, SEARCH_OPENED, SEARCH_WANTED } from './lib/events'
import { hasStylesheet } from './lib/loadedStyles'
import { ID_PREFIX } from './lib/layoutIds'
import { currentPath, paths } from './lib/paths'
import { readSearchFromUrl } from './lib/search/search'

let data: Promise<SearchData> | undefined
let openings = 0

async function fetchData(): Promise<SearchData> {
  const [content] = await Promise.all([fetchSearchData(), loadStyles()])
  return content
}

/** Rejects if the stylesheet cannot load: the dialog would be unusable without it. */
async function loadStyles(): Promise<void> {
  const { search: href } = readAreaFiles()
  if (!href || hasStylesheet(href)) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  document.head.append(link)
  try {
    await new Promise((resolve, reject) => {
      link.addEventListener('load', resolve)
      link.addEventListener('error', reject)
    })
  } catch (failure) {
    link.remove()
    throw failure
  }
}

function mount(): (content: SearchData) => void {
  const container = document.createElement('div')
  // It stays over the pages that the reader visits, with what was typed.
  container.dataset.permanent = ''
  document.body.append(container)
  const root = createRoot(container, { identifierPrefix: ID_PREFIX })
  return ({ shell, config }) =>
    root.render(
      <ShellContext value={shell}>
        <SearchDialog config={config} openCount={openings} />
      </ShellContext>,
    )
}

let render: ((content: SearchData) => void) | undefined

/** `isWanted`: false once the reader has closed the frame that is shown until the dialog is. */
async function open(isWanted: () => boolean): Promise<void> {
  try {
    const content = await (data ??= fetchData())
    if (!isWanted()) return
    document.dispatchEvent(new Event(SEARCH_OPENED))
    openings += 1
    render ??= mount()
    render(content)
  } catch {
    // The next opening tries again.
    data = undefined
    document.dispatchEvent(new Event(SEARCH_FAILED))
  }
}

function isPending(): boolean {
  return window.__kinfolk.pendingSearch !== undefined
}

document.addEventListener(SEARCH_WANTED, (event) => {
  event.preventDefault()
  void open(isPending)
})

data = fetchData()
const isInUrl = currentPath() !== paths.search() && readSearchFromUrl(location.search).query !== ''
if (isPending()) void open(isPending)
else if (isInUrl) void open(() => true)
else {
  data.catch(() => {
    data = undefined
  })
}
