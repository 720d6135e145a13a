// Keys that mean the same on every page.
import { SEARCH_WANTED } from '../lib/events'
import { start } from './browse'

/** Whether somebody serves the search: now, or as soon as the app is there. */
export function search(): boolean {
  window.__kinfolk.searching ??= ''
  if (!document.dispatchEvent(new Event(SEARCH_WANTED, { cancelable: true }))) return true
  const coming = start()
  if (!coming) {
    delete window.__kinfolk.searching
    return false
  }
  void coming.then(() => {
    if (window.__kinfolk.app) return
    location.assign(`/search?q=${encodeURIComponent(window.__kinfolk.searching ?? '')}`)
  })
  return true
}

/** What is typed before the box for it is there, the box begins with. */
function keep({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const { searching } = window.__kinfolk
  if (searching === undefined || ctrlKey || metaKey || altKey) return false
  if (key === 'Backspace') window.__kinfolk.searching = searching.slice(0, -1)
  else if (key.length === 1) window.__kinfolk.searching = searching + key
  else return false
  return true
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=radio]), textarea, select'))
}

function opensSearch({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey) return false
  if (key === '/') return !ctrlKey && !metaKey && !isWriting(target)
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !shiftKey
}

export function serveKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (keep(event) || (opensSearch(event) && search())) event.preventDefault()
  })
}
