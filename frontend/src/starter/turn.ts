// Turns to another page while there is no app: the next page's markup takes the place of this one's, and what both have —
// the bars, the menu and how far it is scrolled — stays. The app finds the document as if the page had been opened.
import { MARKUP_CHANGED } from '../lib/events'
import { namedBy } from '../lib/hash'
import { FRAMEWORK_AT, SCROLLED } from '../lib/head'

/** What the router keeps in the history with an address. */
interface Place {
  __TSR_index: number
  __TSR_key: string
  key: string
}

interface Page {
  /** Where it was found in the end. */
  href: string
  text: string
  /** What it says, once somebody is about to turn to it. */
  document?: Document
}

const FILES = 'link[rel=stylesheet], script[src]'
/** What the next page says about itself in its head. */
const ABOUT = 'title, meta, link:not([rel=stylesheet]), script[type$=json], script[data-app]'

/** As long as the app takes an answer for fresh. */
const FRESH_MS = 5 * 60_000

const pages = new Map<string, Promise<Page | undefined>>()
/** What stands in the address bar, but for the place in the page. */
let here = address()

function address(): string {
  return location.pathname + location.search
}

/** Gets a page that the reader will probably turn to. Gives undefined where the browser has to open it itself. */
export function getPage({ href }: HTMLAnchorElement, priority: RequestPriority = 'auto'): Promise<Page | undefined> {
  const [whole = ''] = href.split('#')
  let page = pages.get(whole)
  if (!page) {
    page = fetchPage(whole, priority).catch(() => undefined)
    pages.set(whole, page)
    setTimeout(() => pages.delete(whole), FRESH_MS)
  }
  return page
}

async function fetchPage(href: string, priority: RequestPriority): Promise<Page | undefined> {
  const response = await fetch(href, { priority })
  if (!response.ok || !response.headers.get('content-type')?.startsWith('text/html')) return undefined
  const page = { href: response.url, text: await response.text() }
  return new URL(page.href).origin === location.origin ? page : undefined
}

/** The page as a document, made before somebody waits for it. */
export function read(page: Page | undefined): Document | undefined {
  return page && (page.document ??= new DOMParser().parseFromString(page.text, 'text/html'))
}

/** An example sets itself up while the browser reads its page. */
const READ_BY_BROWSER = '[role=tree]'

/** Whether all that the page loads has been loaded, by the same build of the site, and none of it has to run. */
function fits(next: Document): boolean {
  const [app, other] = [document, next].map((one) => one.querySelector<HTMLElement>('script[data-app]')?.dataset.app)
  const loaded = new Set([...document.querySelectorAll(FILES)].map(file))
  if (!app || app !== other || next.querySelector(READ_BY_BROWSER)) return false
  return [...next.querySelectorAll(FILES)].every((one) => loaded.has(file(one)))
}

function file(element: Element): string | null {
  return element.getAttribute('src') ?? element.getAttribute('href')
}

/** Shows the page, at the place in it that the link names. False where the browser has to open it itself. */
export function turn(page: Page, { hash }: HTMLAnchorElement): boolean {
  const next = read(page)
  if (!next || !fits(next)) return false
  // Its parts are in this document from here on.
  delete page.document
  const { __TSR_index, __TSR_key } = leave()
  history.pushState(place(__TSR_index + 1, `${__TSR_key}+`), '', page.href.split('#')[0] + hash)
  here = address()
  takeHead(next.head)
  take(document.body, next.body)
  const framework = location.pathname.match(FRAMEWORK_AT)?.[1]
  if (framework) window.__kinfolk.setFramework(framework)
  document.dispatchEvent(new Event(MARKUP_CHANGED))
  // Measured just before the page is painted, when it is measured anyway.
  requestAnimationFrame(() => {
    const part = namedBy(hash)
    if (part) part.scrollIntoView()
    else scrollTo(0, 0)
    // As after a whole page: the next Tab begins at the content, and a screen reader says where it is.
    document.getElementById('content')?.focus({ preventScroll: true })
  })
  return true
}

function place(index: number, key: string): Place {
  return { __TSR_index: index, __TSR_key: key, key }
}

/** Notes how far this page is scrolled, so that the app can give the place back. */
function leave(): Place {
  const left: Place = history.state?.__TSR_key ? history.state : place(0, `${Date.now()}`)
  history.replaceState(left, '')
  try {
    const kept = JSON.parse(sessionStorage.getItem(SCROLLED) ?? '{}')
    kept[left.key] = { window: { scrollX, scrollY } }
    sessionStorage.setItem(SCROLLED, JSON.stringify(kept))
  } catch {
    // Without storage the page begins at its top when the reader comes back.
  }
  return left
}

function takeHead(next: HTMLHeadElement): void {
  const old = [...document.head.querySelectorAll(ABOUT)]
  for (const element of next.querySelectorAll(ABOUT)) {
    const same = old.findIndex((one) => one.isEqualNode(element))
    if (same < 0) document.head.append(element)
    else old.splice(same, 1)
  }
  for (const gone of old) gone.remove()
}

/** Makes `old` what `next` is, keeping every part that is the same. */
function take(old: Node, next: Node): void {
  if (old.isEqualNode(next)) return
  if (!isAlike(old, next)) {
    old.parentNode?.replaceChild(next, old)
    return
  }
  takeAttributes(old, next)
  const known = [...old.childNodes]
  const wanted = [...next.childNodes]
  for (const child of wanted) {
    const part = known.shift()
    if (part) take(part, child)
    else old.append(child)
  }
  for (const rest of known) rest.remove()
}

/** Whether one can become the other part by part. Texts written for the page are taken whole. */
function isAlike(old: Node, next: Node): old is Element {
  return old instanceof Element && next instanceof Element && old.localName === next.localName && !next.hasAttribute('data-markup')
}

function takeAttributes(old: Element, next: Node): void {
  if (!(next instanceof Element)) return
  for (const name of old.getAttributeNames()) if (!next.hasAttribute(name)) old.removeAttribute(name)
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value)
}

/** The browser goes back to an address whose page is not in the document any more. */
export function serveReturns(): void {
  addEventListener('popstate', () => {
    if (address() !== here && !window.__kinfolk.app) location.reload()
  })
}
