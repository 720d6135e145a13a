// The frame of the search dialog while its files load slowly, and when they cannot load.
import { SEARCH_FAILED, SEARCH_OPENED } from '../lib/events'
import { pageHtml } from './pagePolicy'
import { SEARCH_FAILED_HTML, SEARCH_LOADING_HTML } from '../lib/search/searchFrame'

const SLOW_MS = 200

let frame: HTMLDialogElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined
/** Typed before a failure; the next attempt begins with it. */
let typed = ''

/** Shows that the search loads, if that takes long. Returns what was typed before the last failure. */
export function expectSearch(): string {
  const before = typed
  typed = ''
  hideSearchFrame()
  timer = setTimeout(() => show(SEARCH_LOADING_HTML), SLOW_MS)
  return before
}

function show(html: string): void {
  hideSearchFrame()
  frame = document.createElement('dialog')
  frame.className = 'search-dialog'
  frame.ariaLabel = 'Search'
  frame.setAttribute('closedby', 'any')
  frame.innerHTML = pageHtml(`<div class="search-dialog-content">${html}</div>`)
  frame.addEventListener('close', onClose)
  document.body.append(frame)
  frame.showModal()
}

/** Closed by the reader: what still loads does not open. */
function onClose(): void {
  delete window.__kinfolk.pendingSearch
  hideSearchFrame()
}

export function hideSearchFrame(): void {
  clearTimeout(timer)
  if (!frame) return
  frame.removeEventListener('close', onClose)
  // Returns the focus.
  frame.close()
  frame.remove()
  frame = undefined
}

/** Says that the search is unreachable, unless the reader no longer waits for it. */
export function failSearch(): void {
  const { pendingSearch } = window.__kinfolk
  if (pendingSearch === undefined) return
  show(SEARCH_FAILED_HTML)
  typed = pendingSearch
  // Keys now belong to the buttons.
  delete window.__kinfolk.pendingSearch
  frame?.querySelector('a')?.setAttribute('href', `${window.__kinfolk.base}/search?q=${encodeURIComponent(typed)}`)
}

export function serveSearchFrame(): void {
  document.addEventListener(SEARCH_OPENED, hideSearchFrame)
  document.addEventListener(SEARCH_FAILED, failSearch)
}
