// Follows links to other pages of the site, and fetches their pages when the reader points at them.
import { isAppLoading } from './bundles'
import { isMeteredConnection } from './connection'
import { setAimedAt } from './interactions'
import { fetchPage, parsePage } from './pageCache'
import { loadWholeStylesAhead } from './documentStyles'
import { leadToPinned, pinnedAddress } from './pinnedVersions'
import { sitePathname } from './shownPage'
import { visit } from './visit'

const HOVER_MS = 40
const NEAR = '100px'
/** The link to the next page: a reader who has scrolled to it has read this one. */
const NEXT_PAGE = 'a[data-near]'

let hoverTimer = 0
let nextPageObserver: IntersectionObserver | undefined

export function followLinks(): void {
  addEventListener('click', follow)
  for (const type of ['pointerover', 'pointerdown', 'touchstart', 'focusin']) document.addEventListener(type, prefetch, { passive: true })
  for (const scroll of ['wheel', 'touchmove', 'keydown']) addEventListener(scroll, startNextPageObserver, { passive: true, once: true })
}

function isPage(link: HTMLAnchorElement): boolean {
  return !/^\/(_|api\/|auth\/)|\.(md|txt|xml|json|png|svg|ico|webmanifest)$/.test(sitePathname(link))
}

/** The link to another page of this site that the event is about. */
function linkToPage(target: EventTarget | null): HTMLAnchorElement | null {
  const link = linkOfSite(target)
  // The browser itself moves within a page.
  return link && !isWithinPage(link) && isPage(link) ? link : null
}

function linkOfSite(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest('a') : null
  return link?.href && !link.target && !link.hasAttribute('download') && link.origin === location.origin ? link : null
}

function isWithinPage(link: HTMLAnchorElement): boolean {
  return link.hash !== '' && link.pathname === location.pathname && link.search === location.search
}

function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}

function follow(event: MouseEvent): void {
  if (isPlainClick(event)) openTarget(linkOfSite(event.target))
  const link = linkToPage(event.target)
  // A page that React has hydrated is left by the browser.
  if (!link || event.defaultPrevented || !isPlainClick(event) || isAppLoading()) return
  event.preventDefault()
  void leadToPinned(link).then(visit)
}

/** The browser scrolls to the target of a link within the page only if it is shown. */
function openTarget(link: HTMLAnchorElement | null): void {
  if (link && isWithinPage(link)) window.__kinfolk.openHashTarget(link.hash)
}

function prefetch({ target, type }: Event): void {
  const link = linkToPage(target)
  if (type !== 'focusin') setAimedAt(link)
  clearTimeout(hoverTimer)
  // The search opens over the page, and names in code open the symbol popover.
  if (!link || isAppLoading() || link.matches('[data-search], .symbol')) return
  // A visit reuses the element: it may lead elsewhere when the timer fires, also to another site.
  const { href } = link
  const fetchNow = () => void (pinnedAddress(link) ? leadToPinned(link) : fetchPage(href).then(parsePage))
  if (type !== 'pointerover') return fetchNow()
  hoverTimer = window.setTimeout(() => {
    fetchNow()
    loadWholeStylesAhead()
  }, HOVER_MS)
}

/** From the first scroll on, the next page is fetched when its link is about to be seen. */
function startNextPageObserver(): void {
  if (nextPageObserver || isMeteredConnection()) return
  nextPageObserver = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue
        nextPageObserver?.unobserve(target)
        if (!isAppLoading()) void fetchPage(target.href, 'low')
      }
    },
    { rootMargin: NEAR },
  )
  observeNextPage()
}

/** To be called when the document has other links. */
export function observeNextPage(): void {
  nextPageObserver?.disconnect()
  for (const link of document.querySelectorAll(NEXT_PAGE)) nextPageObserver?.observe(link)
}
