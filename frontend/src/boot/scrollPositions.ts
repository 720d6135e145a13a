// How far each entry of the session's history is scrolled. A visit changes the document without the browser's knowledge, so
// that the browser cannot restore scroll positions itself.
import { SCROLL_POSITIONS } from '../lib/storageKeys'

export type Position = readonly [x: number, y: number]

let positions: Record<string, Position> = {}
/** The key of the current entry. */
let current = ''
/** Where the current entry was scrolled to before the browser moved to another one. */
let last: Position = [0, 0]
/** False while an earlier entry is being restored: the browser then scrolls the page that is about to be replaced. */
let tracking = true
/** Whether the document is reopened for an entry that the browser has no position of. */
let reopening = false

export function trackScrollPositions(): void {
  try {
    positions = JSON.parse(sessionStorage.getItem(SCROLL_POSITIONS) ?? '{}')
  } catch {
    // Without storage, positions last as long as the document.
  }
  identifyEntry()
  if (history.scrollRestoration === 'manual') restoreReopened()
  addEventListener('scroll', remember, { passive: true })
  addEventListener('pagehide', store)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) takeOverScrolling()
  })
}

function restoreReopened(): void {
  const position = positions[current]
  if (!position) return
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => scrollTo(...position))
  else scrollTo(...position)
}

function remember(): void {
  if (tracking) last = [scrollX, scrollY]
}

function store(): void {
  positions[current] = last
  // When the document is opened again, the browser restores it.
  if (!reopening) history.scrollRestoration = 'auto'
  try {
    sessionStorage.setItem(SCROLL_POSITIONS, JSON.stringify(positions))
  } catch {
    return
  }
}

/** Gives the current entry a key, unless it has one. Returns whether it had. */
function identifyEntry(): boolean {
  if (readKey()) return true
  current = `${Date.now()}${Math.random()}`
  history.replaceState({ ...history.state, visit: current }, '')
  return false
}

function readKey(): boolean {
  const key: unknown = history.state?.visit
  if (typeof key !== 'string') return false
  current = key
  return true
}

function takeOverScrolling(): void {
  history.scrollRestoration = 'manual'
}

/** Adds an entry for a page that replaces the current one. */
export function pushEntry(url: string): void {
  takeOverScrolling()
  positions[current] = [scrollX, scrollY]
  history.pushState(null, '', url)
  identifyEntry()
  last = [0, 0]
}

/** To be called on `popstate`. Returns the position of an entry that was there before; undefined for a new one. */
export function enterEntry(): Position | undefined {
  positions[current] = last
  return identifyEntry() ? positions[current] : undefined
}

/** Opens the document of the current entry, at its position. To be called on `popstate`. */
export function reopenEntry(): void {
  if (readKey()) {
    last = positions[current] ?? [0, 0]
    takeOverScrolling()
    reopening = true
  }
  tracking = false
  location.reload()
}

/** Stops tracking until the returned function is called. */
export function pauseTracking(): () => void {
  tracking = false
  return () => {
    tracking = true
    remember()
  }
}
