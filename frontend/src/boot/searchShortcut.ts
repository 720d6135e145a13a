// Opens the search: its keys, and what is typed until its box is rendered.
import { SEARCH_WANTED } from '../lib/events'
import { isSearchChord } from '../lib/search/searchShortcut'
import { loadBundle } from './bundles'
import { expectSearch, failSearch, hideSearchFrame, serveSearchFrame } from './searchFrame'

/** Opens the search dialog, now or once it is loaded. False on a page that cannot load it. */
export function openSearch(): boolean {
  window.__kinfolk.pendingSearch ??= expectSearch()
  if (!document.dispatchEvent(new Event(SEARCH_WANTED, { cancelable: true }))) return true
  const loading = loadBundle('searchDialog')
  if (!loading) {
    hideSearchFrame()
    delete window.__kinfolk.pendingSearch
    return false
  }
  loading.catch(failSearch)
  return true
}

/** Records what is typed before the search box is rendered. */
function recordKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const { pendingSearch } = window.__kinfolk
  if (pendingSearch === undefined || ctrlKey || metaKey || altKey) return false
  if (key === 'Backspace') window.__kinfolk.pendingSearch = pendingSearch.slice(0, -1)
  else if (key.length === 1) window.__kinfolk.pendingSearch = pendingSearch + key
  else return false
  return true
}

function isEditable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=radio]), textarea, select'))
}

function isSlash({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isEditable(target)
}

export function serveSearchShortcut(): void {
  serveSearchFrame()
  document.addEventListener('keydown', (event) => {
    if (recordKey(event) || ((isSearchChord(event) || isSlash(event)) && openSearch())) event.preventDefault()
  })
}
