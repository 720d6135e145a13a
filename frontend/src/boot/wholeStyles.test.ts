// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "handleDisabledFileLoadingAsSuccess": true } }
import { beforeEach, expect, test, vi } from 'vitest'

const PART = '<style data-href="/assets/site.css" data-precedence="site">.a{}</style><style data-href="theme" data-precedence="theme">.b{}</style>'

/** A copy of the module that has loaded nothing. */
async function freshModule() {
  vi.resetModules()
  return await import('./wholeStyles')
}

function end(event: 'load' | 'error'): void {
  document.querySelector('link')?.dispatchEvent(new Event(event))
}

beforeEach(() => {
  document.head.innerHTML = PART
})

test('the file replaces its part in its place, once', async () => {
  const { loadWholeStyles } = await freshModule()
  const loaded = loadWholeStyles()
  expect(loadWholeStyles()).toBe(loaded)
  end('load')
  await loaded
  expect([...document.head.children].map((element) => element.outerHTML)).toEqual([
    '<link rel="stylesheet" href="/assets/site.css" data-precedence="site">',
    '<style data-href="theme" data-precedence="theme">.b{}</style>',
  ])
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
