// Loads bundles when the reader interacts with what needs them.
import type { CodeNamesBundle } from '../lib/bootApi'
import { WEB_FONTS } from '../lib/bootApi'
import { loadApp, loadBundle } from './bundles'
import { isSearchPage } from './shownPage'
import { whenUncovered } from './whenUncovered'

/** Elements that work only once React has hydrated them. */
const NEEDS_APP = '[data-needs-app]'
/** Elements that show nothing before React has hydrated them. */
const NEEDS_APP_AT_ONCE = '[data-loads-app]'
const NEEDS_PROMOTIONS = '.promo, [data-consent]'
const NEEDS_READER = `main[data-digest], #${WEB_FONTS}`
const NEEDS_SEARCH = '[data-search]'
/** Code blocks whose names are known. */
const NEEDS_CODE_NAMES = 'figure:has([data-names])'
/** After the page has loaded. */
const LIVE_MS = 2000
const CLICKABLE = 'button, a:not([target], [download])'

const GESTURES = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'wheel'] as const

let hasInteracted = false
/** The link to another page that the reader points at. */
let aimedAt: HTMLAnchorElement | null = null

export function loadOnInteraction(): void {
  for (const gesture of GESTURES) addEventListener(gesture, onFirstGesture, { passive: true })
  for (const type of ['pointerover', 'pointerdown', 'touchstart', 'focusin']) {
    document.addEventListener(type, onPointing, { passive: true })
  }
  document.addEventListener('click', replayClick, { capture: true })
}

function onFirstGesture(event: Event): void {
  // Some browsers dispatch `pointermove` when a page appears below a pointer that rests.
  if (event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY) return
  // The first half of Ctrl+K.
  if (event instanceof KeyboardEvent && /^(Control|Meta)$/.test(event.key)) return
  for (const gesture of GESTURES) removeEventListener(gesture, onFirstGesture)
  hasInteracted = true
  loadWhenUnaimed()
}

/** Sets the link that the reader points at. */
export function setAimedAt(link: HTMLAnchorElement | null): void {
  aimedAt = link
  if (!link) loadWhenUnaimed()
}

/** Loads bundles after the first interaction, but not before a page that the reader is about to visit. */
function loadWhenUnaimed(): void {
  whenUncovered(() => {
    if (!hasInteracted || aimedAt) return
    if (document.querySelector(NEEDS_PROMOTIONS)) loadBundle('promotions')?.catch(ignore)
    if (document.querySelector(NEEDS_READER) || 'account' in document.documentElement.dataset) loadBundle('reader')?.catch(ignore)
  })
}

function ignore(): void {
  // The page is complete without it.
}

function onPointing(event: Event): void {
  const { target } = event
  if (!(target instanceof Element)) return
  if (target.closest(NEEDS_APP)) loadApp()?.catch(ignore)
  if (target.closest(NEEDS_SEARCH)) loadBundle('searchDialog')?.catch(ignore)
  // The press that loads the bundle may be a long one.
  if (target.closest(NEEDS_CODE_NAMES)) loadBundle('codeNames')?.then((bundle) => (bundle as CodeNamesBundle).receive(event), ignore)
}

/** A click on what is not hydrated yet takes effect once it is. */
function replayClick(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>(CLICKABLE) : null
  if (!target?.closest(NEEDS_APP) || window.__kinfolk.hydrated) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const hydrated = loadApp()
  if (!hydrated) return
  event.preventDefault()
  event.stopImmediatePropagation()
  target.setAttribute('aria-busy', 'true')
  const release = () => target.removeAttribute('aria-busy')
  hydrated.finally(release).then(
    () => target.click(),
    () => {
      if (target instanceof HTMLAnchorElement) location.assign(target.href)
    },
  )
}

/** Loads what the page needs without an interaction. */
export function loadWhatPageNeeds(): void {
  if (document.readyState === 'complete') loadLive()
  else addEventListener('load', loadLive, { once: true })
  if (menuShowsOtherFramework() || document.querySelector(NEEDS_APP_AT_ONCE)) loadApp()?.catch(ignore)
  if (isSearchInUrl()) loadBundle('searchDialog')?.catch(ignore)
  if (hasInteracted) loadWhenUnaimed()
}

/** What follows changes of the page is loaded last: nothing that the reader does waits for it. */
function loadLive(): void {
  if (!document.querySelector('[data-live]')) return
  setTimeout(() => whenUncovered(() => loadBundle('liveEvents')?.catch(ignore)), LIVE_MS)
}

/** A URL with a search opens the dialog with it. */
function isSearchInUrl(): boolean {
  return !isSearchPage() && /[?&]q=[^&]/.test(location.search)
}

/** The docs menu of a page for all frameworks is rendered for one of them. React renders it for the reader's framework. */
function menuShowsOtherFramework(): boolean {
  const menu = document.querySelector<HTMLElement>('.docs-menu[data-shows]')
  const wanted = document.documentElement.dataset.framework
  return menu?.dataset.shows !== wanted && Boolean(menu?.querySelector(`[data-choose-framework="${wanted}"]`))
}
