import { expect, test } from 'vitest'
import type { LibraryCard } from '../api/generated'
import { missingPageVersions } from './loadPage'
import { missingPageSearch } from './missingPage'

// Only the tested fields.
const atlas = { id: 'atlas', versions: [{ name: 'v2', branch: 'main' }, { name: 'v1', branch: 'v1' }] } as LibraryCard

test.each([
  ['/atlas/v1/docs/framework/vue/guides/custom-logger', 'custom logger', '/search?q=custom+logger&library=atlas'],
  ['/nowhere', 'nowhere', '/search?q=nowhere'],
  ['/other/v1/docs/a_page', 'a page', '/search?q=a+page'],
  ['/blog/one%20post', 'one post', '/search?q=one+post'],
  ['/%E0%A4%A', 'E0 A4 A', '/search?q=E0+A4+A'],
  [`/${'x'.repeat(99)}`, 'x'.repeat(60), `/search?q=${'x'.repeat(60)}`],
])('%s is searched for by the words “%s”', (pathname, words, to) => {
  expect(missingPageSearch(pathname, [atlas])).toEqual({ words, to })
})

test.each(['/', '/-/', '/atlas/latest/docs'])('%s has no words to search for', (pathname) => {
  expect(missingPageSearch(pathname, [atlas])).toBeUndefined()
})

test('the version menu of a missing page leads to pages that exist', () => {
  const versions = [{ name: 'v1', to: '/atlas/v1/docs/x', title: null }]
  expect(missingPageVersions({ data: { versions } }, atlas)).toBe(versions)
  expect(missingPageVersions(new Error('no data'), atlas).map(({ to }) => to)).toEqual([
    '/atlas/latest/docs',
    '/atlas/v2/docs',
    '/atlas/v1/docs',
  ])
})
