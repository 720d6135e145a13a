// Applies the reader's stored choices. Runs inline in the head, before the first paint.
import { FRAMEWORK_CHANGED, THEME_CHANGED } from '../lib/events'
import { holdEarlyInput, releaseInput } from './earlyInput'
import type { BootApi, ColorMode } from '../lib/bootApi'
import { FRAMEWORK_PATH, WEB_FONTS } from '../lib/bootApi'
import { findHashTarget, openAround, revealTarget } from '../lib/docs/hashTarget'
import {
  CHOSEN_TAB,
  FETCHED_FONT,
  FRAMEWORK,
  FRAMEWORK_OF,
  FRAMEWORK_TABS,
  HIDDEN_NOTICE,
  MENU_GROUPS,
  MENU_SCROLL,
  PAGE_WIDTH,
  PINNED_VERSION,
  REMEMBERED_TABS,
} from '../lib/storageKeys'

const root = document.documentElement
const darkSystem = matchMedia('(prefers-color-scheme: dark)')
/** Choices of this document, for browsers that forbid storage. */
const unsaved: Record<string, string> = {}
let panelStyles: CSSStyleSheet | undefined
let menuRestored = false

function read(key: string): string | null | undefined {
  try {
    return localStorage.getItem(key)
  } catch {
    return unsaved[key]
  }
}

function write(key: string, value: string): void {
  unsaved[key] = value
  try {
    localStorage.setItem(key, value)
  } catch {
    // The choice lasts as long as the document.
  }
}

/** Only a change is written: any write to an attribute of the root costs a style recalculation of the whole page. */
function setRootData(name: string, value: string): void {
  if (root.dataset[name] !== value) root.dataset[name] = value
}

function checkTab(kind: string, tab: string | null | undefined): void {
  if (!tab) return
  for (const input of document.querySelectorAll<HTMLInputElement>(`.tabs[data-tabs="${kind}"] > input`)) {
    if (input.dataset.tab === tab && input.parentElement?.dataset.revealed === undefined) input.checked = true
  }
}

function library(): string {
  return location.pathname.slice(api.base.length).split('/')[1] ?? ''
}

function showMode(): void {
  root.dataset.theme = api.mode
  root.classList.toggle('dark', api.mode === 'dark' || (api.mode === 'auto' && darkSystem.matches))
  document.dispatchEvent(new Event(THEME_CHANGED))
}

/** A new stylesheet. The Content-Security-Policy forbids a style element that the page did not have. */
function adoptStyles(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  return sheet
}

function panelCss(framework: string): string {
  const own = `[data-framework="${framework}"]`
  const links = '.by-framework'
  return (
    `${links}:has(> ${own}) > :not(${own}),${links}:not(:has(> ${own})) > *+*{display:none}` +
    `.missing-framework > ${own}{display:block}` +
    `.framework-block:has(> ${own}) > section{display:none}.framework-block > ${own}{display:block!important}` +
    `.toc:has(${own}) [data-framework]{display:none}.toc ${own}{display:block!important}`
  )
}

function setFramework(framework: string): void {
  write(FRAMEWORK, framework)
  showFramework(framework)
}

/** The reader's framework. Its value in a library that lacks it counts until the reader chooses another one elsewhere. */
function storedFramework(): string | null | undefined {
  const chosen = read(FRAMEWORK)
  const [lacking, here] = (read(FRAMEWORK_OF + library()) ?? '').split(' ')
  return here && lacking === chosen ? here : chosen
}

function applyFramework(): void {
  const framework = location.pathname.match(FRAMEWORK_PATH)?.[1] ?? storedFramework()
  if (framework) showFramework(framework)
}

function showFramework(framework: string): void {
  // The value becomes part of a stylesheet.
  if (!/^[\w-]+$/.test(framework)) return
  if (root.dataset.framework === framework) return
  root.dataset.framework = framework
  panelStyles ??= adoptStyles()
  panelStyles.replaceSync(panelCss(framework))
  checkTab(FRAMEWORK_TABS, framework)
  document.dispatchEvent(new Event(FRAMEWORK_CHANGED))
}

function storedGroups(): Record<string, boolean> {
  try {
    return JSON.parse(read(MENU_GROUPS + library()) ?? 'null') ?? {}
  } catch {
    return {}
  }
}

/** Shows what says which version of a library the reader pinned. The server's link names another version. */
function showPin(place: HTMLElement): void {
  const id = place.dataset.pinned
  const pin = read(PINNED_VERSION + id)
  const link = place.querySelector('a')
  place.hidden = !pin
  if (!pin || !link) return
  link.textContent = pin
  link.pathname = link.pathname.replace(RegExp(`(?<=^${api.base}/${id}/)[^/]+`), pin)
}

function applyPreferences(): void {
  setRootData('notice', Number(read(HIDDEN_NOTICE + library())) > Date.now() ? 'hidden' : 'shown')
  setRootData('width', read(PAGE_WIDTH) === 'wide' ? 'wide' : 'comfortable')
  for (const button of document.querySelectorAll('[data-width-toggle]')) {
    button.setAttribute('aria-pressed', String(root.dataset.width === 'wide'))
  }
  for (const kind of REMEMBERED_TABS.split(' ')) checkTab(kind, read(CHOSEN_TAB + kind))
  checkTab(FRAMEWORK_TABS, root.dataset.framework)
  for (const place of document.querySelectorAll<HTMLElement>('[data-pinned]')) showPin(place)
  const groups = storedGroups()
  for (const group of document.querySelectorAll<HTMLDetailsElement>('[data-group]')) {
    group.open = groups[group.dataset.group ?? ''] ?? group.open
  }
}

function scrollMenuToActive(): void {
  for (const menu of document.querySelectorAll('[data-menu]')) {
    if (!menuRestored) restoreMenuScroll(menu)
    const current = menu.querySelector('[aria-current="page"]')
    if (!current) continue
    const link = (current.closest('details:not([open])') ?? current).getBoundingClientRect()
    const frame = menu.getBoundingClientRect()
    if (link.top < frame.top || link.bottom > frame.bottom - 16) menu.scrollTop += link.top - frame.top - frame.height / 3
  }
}

function restoreMenuScroll(menu: Element): void {
  menuRestored = true
  try {
    menu.scrollTop = Number(sessionStorage.getItem(MENU_SCROLL + library()))
  } catch {
    // Without storage the menu starts at the current page.
  }
}

/** A page that does not begin with web fonts does so once they are in the browser's cache. */
function applyFetchedFonts(): void {
  const rules = document.getElementById(WEB_FONTS)?.textContent
  const font = read(FETCHED_FONT)
  // A font of another build is not in the rules.
  if (!rules || !font || !rules.includes(font)) return
  // With a preload the first paint waits for the cache, so that it never changes fonts.
  const preload = document.createElement('link')
  Object.assign(preload, { rel: 'preload', as: 'font', crossOrigin: 'anonymous', href: font })
  document.head.append(preload)
  adoptStyles().replaceSync(rules.replace(/<.*?>/g, ''))
}

function openHashTarget(hash: string): HTMLElement | null {
  const target = findHashTarget(hash)
  if (target) openAround(target)
  return target
}

/** Opens what hides the target of the hash as soon as it is parsed: browsers do it later, for folds only, and move what is painted. */
function followHash(): void {
  addEventListener('hashchange', revealHashTarget)
  if (!location.hash) return
  const observer = new MutationObserver(() => {
    if (openHashTarget(location.hash) || document.readyState !== 'loading') observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** The browser has scrolled to what it shows. */
function revealHashTarget(): void {
  const target = findHashTarget(location.hash)
  if (target && !target.checkVisibility()) revealTarget(target)
}

const api: BootApi = {
  base: root.dataset.base ?? '',
  hydrated: false,
  mode: 'auto',
  read,
  write,
  setMode(mode: ColorMode) {
    api.mode = mode
    write('theme', mode)
    showMode()
  },
  setFramework,
  showFramework,
  applyFramework,
  applyPreferences,
  findHashTarget,
  openHashTarget,
  scrollMenuToActive,
  releaseInput,
}

export function installBootApi(): void {
  window.__kinfolk = api
  // Pages are the same for all readers. The session itself is in a cookie that scripts cannot read.
  if (/(?:^|; )signed-in=1/.test(document.cookie)) root.dataset.account = ''
  const mode = read('theme') || /(?:^|; )theme=(\w+)/.exec(document.cookie)?.[1]
  if (mode === 'light' || mode === 'dark') api.mode = mode
  showMode()
  setRootData('keys', /Mac|iP/.test(navigator.platform) ? 'mac' : 'pc')
  darkSystem.addEventListener('change', showMode)
  applyFetchedFonts()
  applyFramework()
  applyPreferences()
  followHash()
  holdEarlyInput()
}
