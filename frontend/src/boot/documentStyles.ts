// The server's page contains the part of each stylesheet that can apply to it (rendering/styles). The next page of a visit
// brings its own parts, which the document adopts: a policy does not apply to stylesheets that scripts construct. What scripts
// show besides, such as a dialog, may need the whole files.
import { whenIdle } from './whenIdle'

/** Texts of stylesheets, in the order that counts. In a page that is fetched they are data (pageCache.ts). */
const TEXTS = '[data-href][data-precedence]:not(link)'

/** Those with a file. A brand may have styles of its own, whose names are no addresses. */
const PARTS = 'style[data-href^="/"]'

/** That of what all pages have in common. */
const SITE_PART = `${PARTS}[data-precedence="site"]`

/** The rules of elements with styles of their own (rendering/styles/page_rules.py). */
const RULES = '[data-page-rules]'

let loading: Promise<unknown> | undefined

const replaced = new WeakMap<HTMLStyleElement, Promise<void>>()

let adoptedTexts: CSSStyleSheet | undefined
let adoptedRules: CSSStyleSheet | undefined

/** Adds the styles of the next page, in place of those of a page before it. */
export function showStylesOf(next: ParentNode): void {
  if (document.querySelector(PARTS)) {
    // The parts of the first page stay, as the place of their files: what else they have applies to no element of the next page.
    adoptedTexts ??= adoptSheet()
    adoptedTexts.replaceSync(textOf(next, TEXTS))
    // With whole files, later visits change no stylesheet: the browser would style each element again.
    whenIdle(loadWholeStylesAhead)
  }
  adoptedRules ??= adoptSheet()
  adoptedRules.replaceSync(textOf(next, RULES))
  document.querySelector(RULES)?.remove()
}

function adoptSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  return sheet
}

function textOf(page: ParentNode, selector: string): string {
  return Array.from(page.querySelectorAll(selector), ({ textContent }) => textContent).join('')
}

/** Replaces the parts by the files, once. Rejects if a file cannot load; the next call tries again. */
export function loadWholeStyles(): Promise<unknown> {
  if (!loading) {
    loading = Promise.all([...document.querySelectorAll<HTMLStyleElement>(PARTS)].map(replaceOnce)).then(() => adoptedTexts?.replaceSync(''))
    loading.catch(() => (loading = undefined))
  }
  return loading
}

/** Loads the files before they are needed. Whatever needs them tries again after a failure. */
export function loadWholeStylesAhead(): void {
  loadWholeStyles().catch(() => undefined)
}

/** Replaces the part of the site's stylesheet by its file: those of areas of the site are for elements of the page only. */
export function loadSiteStyles(): Promise<unknown> {
  const part = document.querySelector<HTMLStyleElement>(SITE_PART)
  return part ? replaceOnce(part) : Promise.resolve()
}

function replaceOnce(part: HTMLStyleElement): Promise<void> {
  const known = replaced.get(part)
  if (known) return known
  const replacing = replaceByFile(part)
  replaced.set(part, replacing)
  replacing.catch(() => replaced.delete(part))
  return replacing
}

function replaceByFile(part: HTMLStyleElement): Promise<void> {
  const { href = '', precedence = '' } = part.dataset
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  // React knows its stylesheets by their precedence.
  link.dataset.precedence = precedence
  // The order of stylesheets counts.
  part.after(link)
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => {
      part.remove()
      resolve()
    })
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`Cannot load ${href}`))
    })
  })
}
