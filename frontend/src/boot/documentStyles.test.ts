// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "handleDisabledFileLoadingAsSuccess": true } }
import { beforeEach, expect, test, vi } from 'vitest'

const PART = '<style data-href="/assets/site.css" data-precedence="site">.a{}</style><style data-href="theme" data-precedence="theme">.b{}</style>'
const RULES = '<style data-page-rules="">[data-style="top 0"] { top: 0 }</style>'
const FILES = [
  '<link rel="stylesheet" href="/assets/site.css" data-precedence="site">',
  '<style data-href="theme" data-precedence="theme">.b{}</style>',
]

/** A copy of the module that has loaded nothing. */
async function freshModule() {
  vi.resetModules()
  return await import('./documentStyles')
}

function end(event: 'load' | 'error'): void {
  document.querySelector('link')?.dispatchEvent(new Event(event))
}

/** A page as `pageCache.ts` parses it. */
function page(head: string): HTMLHeadElement {
  const next = document.implementation.createHTMLDocument()
  next.head.innerHTML = head.replaceAll('<style', '<script type="text/css"').replaceAll('</style>', '</script>')
  return next.head
}

function adopted(): string {
  return document.adoptedStyleSheets
    .flatMap(({ cssRules }) => Array.from(cssRules, ({ cssText }) => cssText))
    .join('')
    .replaceAll(/\s/g, '')
}

beforeEach(() => {
  document.head.innerHTML = PART
  document.adoptedStyleSheets = []
})

test('the file replaces its part in its place, once', async () => {
  const { loadWholeStyles } = await freshModule()
  const loaded = loadWholeStyles()
  expect(loadWholeStyles()).toBe(loaded)
  end('load')
  await loaded
  expect([...document.head.children].map((element) => element.outerHTML)).toEqual(FILES)
})

test('the search loads the file of the site only, and the rest is loaded without requesting it again', async () => {
  const area = '<style data-href="/assets/promo.css" data-precedence="area">.p{}</style>'
  document.head.innerHTML = PART + area
  const { loadSiteStyles, loadWholeStyles } = await freshModule()
  const loaded = loadSiteStyles()
  expect(document.querySelectorAll('link')).toHaveLength(1)
  const whole = loadWholeStyles()
  expect(document.querySelectorAll('link')).toHaveLength(2)
  for (const link of document.querySelectorAll('link')) link.dispatchEvent(new Event('load'))
  await Promise.all([loaded, whole])
  expect([...document.querySelectorAll('link')].map(({ dataset }) => dataset.precedence)).toEqual(['site', 'area'])
  await loadSiteStyles()
  expect(document.querySelectorAll('link')).toHaveLength(2)
})

test('a file that cannot load leaves the part, and is requested again', async () => {
  const { loadWholeStyles } = await freshModule()
  const failed = loadWholeStyles()
  end('error')
  await expect(failed).rejects.toThrow('Cannot load /assets/site.css')
  expect(document.head.innerHTML).toBe(PART)
  const again = loadWholeStyles()
  end('load')
  await again
  expect(document.querySelectorAll('style')).toHaveLength(1)
})

test('styles of the next page are adopted in place of those of the page before it', async () => {
  const { showStylesOf } = await freshModule()
  showStylesOf(page(PART.replace('.a', '.c')))
  expect(adopted()).toBe('.c{}.b{}')
  expect(document.head.innerHTML).toBe(PART)
  showStylesOf(page(PART))
  expect(adopted()).toBe('.a{}.b{}')
})

test('whole files replace the styles of a visited page', async () => {
  const { loadWholeStyles, showStylesOf } = await freshModule()
  showStylesOf(page(PART.replace('.a', '.c')))
  const loaded = loadWholeStyles()
  expect(adopted()).toContain('.c')
  end('load')
  await loaded
  expect(adopted()).toBe('')
  showStylesOf(page(PART))
  expect(adopted()).toBe('')
  expect([...document.head.children].map((element) => element.outerHTML)).toEqual(FILES)
})

test('styles of elements of the next page replace those of the document', async () => {
  const { showStylesOf } = await freshModule()
  document.head.innerHTML = RULES
  showStylesOf(page(RULES.replace('{ top: 0 }', '{ top: 1px }')))
  expect(adopted()).toContain('top:1px')
  expect(document.querySelector('style')).toBeNull()
  showStylesOf(page(''))
  expect(adopted()).toBe('')
})
