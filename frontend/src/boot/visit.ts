// A visit: shows another page in the same document. The page's HTML is fetched and the document is morphed into it, so that
// the bars, the docs menu and its scroll position stay. What does not fit is opened by the browser (decisions/0012).
import { MARKUP_CHANGED, VISITED } from '../lib/events'
import { CONTENT_ID } from '../lib/layoutIds'
import { isAppLoading } from './bundles'
import { morphDocument } from './morph'
import type { FetchedPage } from './pageCache'
import { fetchPage, parsePage } from './pageCache'
import type { Position } from './scrollPositions'
import { enterEntry, pauseTracking, pushEntry, reopenEntry } from './scrollPositions'
import { isSearchPage } from './shownPage'
import { transitionTo } from './viewTransition'

const FILES = 'link[rel=stylesheet], [data-href][data-precedence], script[src]'

/** The tree of an example is set up by inline scripts, which run only in a page that the browser opens. */
const NEEDS_INLINE_SCRIPTS = '[role=tree]'

/** The page in the document. */
let shown = pageUrl()
/** The last visit that was begun. */
let latest: string | undefined

/** The URL of the page, without the parameters that scripts change: the search of the dialog, and the origin of a notice. */
function pageUrl(): string {
  const params = new URLSearchParams(location.search)
  params.delete('from')
  if (!isSearchPage()) {
    params.delete('q')
    params.delete('page')
  }
  return `${location.pathname}?${params}`
}

/** Shows the page that the link leads to. */
export async function visit({ href, hash }: HTMLAnchorElement): Promise<void> {
  const page = await fetchForVisit(href)
  if (latest !== href) return
  const next = page && fitting(page)
  if (!next) return location.assign(href)
  pushEntry(page.url.split('#')[0] + hash)
  show(next, () => {
    scrollToHash(hash)
    // As after opening a page: the next Tab starts at the content, and a screen reader reads it.
    document.getElementById(CONTENT_ID)?.focus({ preventScroll: true })
  })
}

async function fetchForVisit(href: string): Promise<FetchedPage | undefined> {
  latest = href
  const spinner = showSpinner()
  const page = await fetchPage(href)
  spinner.remove()
  return page
}

function showSpinner(): Element {
  const spinner = document.createElement('output')
  spinner.className = 'spinner'
  spinner.ariaLabel = 'Loading'
  spinner.dataset.permanent = ''
  document.body.append(spinner)
  return spinner
}

/** The parsed page, if the document can be morphed into it: the same build of the site, and no file that is not loaded. */
function fitting(page: FetchedPage): Document | undefined {
  const next = parsePage(page)
  // React updates only markup that it rendered itself.
  if (!next || isAppLoading() || next.querySelector(NEEDS_INLINE_SCRIPTS)) return undefined
  const [build, nextBuild] = [document, next].map(readBuild)
  const loaded = new Set([...document.querySelectorAll(FILES)].map(fileUrl))
  if (!build || build !== nextBuild || ![...next.querySelectorAll(FILES)].every((one) => loaded.has(fileUrl(one)))) return undefined
  // Its nodes are moved into the document.
  delete page.document
  return next
}

/** The boot script, whose name says which build it is; undefined on a page that failed. */
function readBuild(page: Document): string | undefined {
  return page.querySelector<HTMLElement>('script[data-boot]:not([data-failed])')?.dataset.boot
}

function fileUrl(element: Element): string | null {
  return element.getAttribute('src') ?? element.getAttribute('href') ?? element.getAttribute('data-href')
}

function show(next: Document, scroll: () => void): void {
  const resume = pauseTracking()
  const url = pageUrl()
  shown = url
  transitionTo(next, () => {
    // A transition updates the document a frame later. Until then, another visit or the app may have begun.
    if (shown !== url) return
    if (isAppLoading()) return reopenEntry()
    morphDocument(next)
    window.__kinfolk.applyFramework()
    document.dispatchEvent(new Event(VISITED))
    document.dispatchEvent(new Event(MARKUP_CHANGED))
    // Just before the paint, which lays the page out anyway.
    requestAnimationFrame(() => {
      scroll()
      resume()
    })
  })
}

function scrollToHash(hash: string): void {
  const target = window.__kinfolk.openHashTarget(hash)
  if (target) target.scrollIntoView()
  else scrollTo(0, 0)
}

/** Shows the page of a history entry that the reader goes back or forward to. */
export function restoreOnPopState(): void {
  addEventListener('popstate', (event) => {
    if (isAppLoading()) {
      if (location.pathname === shown.split('?')[0]) return
      // The app's router would render the page.
      event.stopImmediatePropagation()
      reopenEntry()
      return
    }
    const position = enterEntry()
    if (pageUrl() !== shown) void restore(position)
    else if (position) scrollTo(...position)
  })
}

async function restore(position: Position | undefined): Promise<void> {
  const { href, hash } = location
  const resume = pauseTracking()
  const page = await fetchForVisit(href)
  if (latest !== href) return resume()
  const next = page && fitting(page)
  if (!next) return reopenEntry()
  show(next, () => {
    scrollToHash(hash)
    if (position) scrollTo(...position)
  })
}
