// Fetches the app when it is wanted, and gives it the links that the reader follows. Those followed before, the starter
// turns to itself: starting the app takes longer than a page.
import { whenIdle } from './idle'
import { linksNear } from './near'
import { getPage, read, serveReturns, turn } from './turn'

const HOVER_MS = 40
const APP_AFTER_MS = 2000
const INTENTS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'] as const

let starting: Promise<unknown> | undefined
/** The app's file has been fetched, so that starting it takes little. */
let fetched = false

/** The link to another page that the reader is about to follow. */
let aim: HTMLAnchorElement | null = null
/** The reader has done something, so the app starts as soon as it is in nobody's way. */
let intended = false

export function browse(): void {
  for (const intent of INTENTS) addEventListener(intent, intend, { passive: true })
  if (document.readyState === 'complete') whenIdle(prepare)
  else addEventListener('load', () => whenIdle(prepare))
  addEventListener('click', follow)
  document.addEventListener('pointerover', anticipate, { passive: true })
  document.addEventListener('pointerdown', anticipate, { passive: true })
  document.addEventListener('touchstart', anticipate, { passive: true })
  document.addEventListener('focusin', anticipate)
  serveReturns()
}

function intend(event: Event): void {
  // Of a pointer that only rests where the page appears below it, some browsers tell as well.
  if (event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY) return
  for (const intent of INTENTS) removeEventListener(intent, intend)
  intended = true
  whenIdle(startAside)
}

/** Not while a link is aimed at: the page it leads to comes first. */
function startAside(): void {
  if (intended && !aim) void start()
}

function files(kind: 'app' | 'shared'): string[] {
  const list = document.querySelector<HTMLElement>('script[data-app]')?.dataset[kind] ?? ''
  return list.split(' ').filter(Boolean)
}

function prepare(): void {
  if (wantsAnotherMenu() || asksForSearch()) void start()
  void fetchNear()
  // Pages turn without the app, so on a slow line it waits for whatever the page still loads.
  setTimeout(() => whenIdle(() => void fetchApp()), APP_AFTER_MS)
}

/** Into the browser's cache, where the app finds its files. A preloaded module would be compiled as well. */
async function fetchApp(): Promise<void> {
  try {
    for (const href of [...files('app'), ...files('shared')]) {
      // oxlint-disable-next-line no-await-in-loop -- one by one: they are needed later than anything else
      await (await fetch(href, { priority: 'low' })).blob()
    }
    fetched = true
  } catch {
    // The app asks for them again.
  }
}

/** Most clicks lead to a page next to this one: until the app is there, they find it here. */
async function fetchNear(): Promise<void> {
  for (const link of await linksNear()) {
    if (starting) return
    // oxlint-disable-next-line no-await-in-loop -- one by one: they are needed later than anything else
    if (linkTo(link)) await getPage(link, 'low')
  }
}

/** The menu of a page for all frameworks shows the first one, until the app shows it for the reader's. */
function wantsAnotherMenu(): boolean {
  const menu = document.querySelector<HTMLElement>('.docs-menu')
  const wanted = document.documentElement.dataset.framework
  return menu?.dataset.shows !== wanted && Boolean(menu?.querySelector(`[data-choose-framework="${wanted}"]`))
}

/** The app, on its way or there; undefined on a page that has none. */
export function start(): Promise<unknown> | undefined {
  const [app] = files('app')
  // Links work without the app, so a failure only means that they load whole pages.
  return app ? (starting ??= import(/* @vite-ignore */ app).then(() => window.__kinfolk.started).catch(() => undefined)) : undefined
}

/** An address that somebody was given together with a search. */
function asksForSearch(): boolean {
  return location.pathname !== '/search' && /[?&]q=[^&]/.test(location.search)
}

function isPage({ pathname }: HTMLAnchorElement): boolean {
  return !/^\/(_|api\/)|\.(md|txt|xml|json|png|svg|ico|webmanifest)$/.test(pathname)
}

/** The link to another page of ours that was meant. */
function linkTo(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin) return null
  // The browser itself is best at moving within a page.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return null
  return isPage(link) ? link : null
}

function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}

function follow(event: MouseEvent): void {
  const link = linkTo(event.target)
  if (!link || event.defaultPrevented || !isPlain(event)) return
  const { app } = window.__kinfolk
  if (app) {
    event.preventDefault()
    app.navigate(link.href)
  } else if (fetched || !starting) {
    event.preventDefault()
    void leadTo(link)
  }
}

/** The last link that was followed before the app was there. */
let led: HTMLAnchorElement | undefined

async function leadTo(link: HTMLAnchorElement): Promise<void> {
  const { href } = link
  led = link
  const spinner = document.createElement('output')
  spinner.className = 'spinner'
  spinner.ariaLabel = 'Loading'
  document.body.append(spinner)
  const page = starting ? undefined : await getPage(link)
  spinner.remove()
  // The reader has followed another one meanwhile.
  if (led !== link) return
  // Once the app has begun to take over the page, no other can take its place.
  if (page && !starting && turn(page, link)) {
    if (wantsAnotherMenu()) void start()
    else whenIdle(fetchNear)
    return
  }
  await starting
  if (window.__kinfolk.app) window.__kinfolk.app.navigate(href)
  else location.assign(href)
}

let hovering = 0

function anticipate({ target, type }: Event): void {
  const link = linkTo(target)
  if (type !== 'focusin') aim = link
  clearTimeout(hovering)
  if (!link) return whenIdle(startAside)
  const fetchAhead = () => {
    if (window.__kinfolk.app) window.__kinfolk.app.preload(link.href)
    else if (!starting) void getPage(link).then(read)
  }
  hovering = window.setTimeout(fetchAhead, type === 'pointerover' ? HOVER_MS : 0)
}
