// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { ARRIVAL_SCRIPT, parseArrivalSearch } from './arrival'

/** Runs the script for a notice with links to other frameworks. Returns the address that it opens. */
function openedFor(stored: string | null): string | undefined {
  document.body.innerHTML = `<aside data-by-framework>
    <a href="/atlas/latest/docs/framework/vue/guides/x">Vue</a>
    <a href="/atlas/latest/docs/framework/solid/guides/x">Solid</a>
  </aside>`
  let opened: string | undefined
  const location = { replace: (to: string) => void (opened = new URL(to).pathname) }
  // eslint-disable-next-line typescript/no-implied-eval -- the test runs the text of an inline script
  new Function('__kinfolk', 'location', ARRIVAL_SCRIPT)({ read: () => stored }, location)
  return opened
}

test.each([
  ['solid', '/atlas/latest/docs/framework/solid/guides/x'],
  ['vue', '/atlas/latest/docs/framework/vue/guides/x'],
  ['react', undefined],
  [null, undefined],
  ['"]x', undefined],
])('an address without a framework opens the page of the stored framework %s', (stored, opened) => {
  expect(openedFor(stored)).toBe(opened)
})

test.each([
  [{ from: '/atlas/v1/docs/x' }, { from: '/atlas/v1/docs/x' }],
  [{ from: 3 }, {}],
  [{ q: 'x' }, {}],
])('the origin of %j is %j', (search, parsed) => {
  expect(parseArrivalSearch(search)).toEqual(parsed)
})
