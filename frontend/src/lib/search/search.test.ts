import { expect, test } from 'vitest'
import { shell } from '../../../tests/samples'
import {
  parseSearchParams,
  searchUrl,
  removeSavedPage,
  parseSavedPages,
  nearbyPages,
  nextIndex,
  startLibraries,
  localPath,
  clampPage,
  readSearchContext,
  addSavedPage,
  readSearchFromUrl,
  headingTrail,
  setSearchInUrl,
} from './search'

test.each([
  ['/', null, null, 'latest'],
  ['/blog/atlas', null, null, 'latest'],
  ['/atlas/latest/docs/overview', 'atlas', null, 'latest'],
  ['/atlas/v1/docs/framework/react/install', 'atlas', 'react', 'v1'],
  ['/atlas/latest/docs/framework/cobol/install', 'atlas', null, 'latest'],
  ['/unknown/latest/docs/framework/react/install', null, null, 'latest'],
])('at %s a search begins with %s, %s and %s', (pathname, library, framework, version) => {
  expect(readSearchContext(pathname, shell)).toEqual({ library, framework, version })
})

test('the number of the latest version is searched as latest', () => {
  const [atlas] = shell.libraries
  expect(readSearchContext(`/atlas/${atlas?.latestVersion}/docs/overview`, shell).version).toBe('latest')
})

test('a result is named by the headings below its page, as far as there are any', () => {
  expect(headingTrail({ lvl0: 'Atlas', lvl1: 'Caching', lvl2: 'Basics', lvl4: 'Time', lvl5: null })).toEqual(['Basics', 'Time'])
})

test('a search on pages of a library begins with those that it builds on', () => {
  const [atlas, tools] = shell.libraries
  const libraries = [atlas, tools].flatMap((library) => library ?? [])
  const built = { ...shell, libraries: libraries.map((library) => ({ ...library, buildsOn: library.id === 'tools' ? ['atlas'] : [] })) }
  expect(startLibraries(built, 'tools')).toEqual(['tools', 'atlas'])
  expect(startLibraries(built, 'atlas')).toEqual(['atlas'])
  expect(startLibraries(built, null)).toEqual([])
})

test.each([
  [0, 1, [0]],
  [0, 9, [0, 1, 2, 3, 4]],
  [4, 9, [2, 3, 4, 5, 6]],
  [8, 9, [4, 5, 6, 7, 8]],
  [0, 0, []],
])('at page %i of %i there are buttons for %s', (current, pages, expected) => {
  expect(nearbyPages(current, pages)).toEqual(expected)
})

test.each([
  ['/atlas', '/atlas'],
  ['https://acme.example/atlas#x', '/atlas#x'],
  ['https://acme.example', '/'],
  ['https://acme.example.evil.example/atlas', null],
  ['//evil.example', null],
  ['https://evil.example/', null],
])('%s leads inside to %s', (url, inside) => {
  expect(localPath(url, ['https://acme.example'])).toBe(inside)
})

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 2, 0],
  ['ArrowUp', 0, 2],
  // They move the cursor in the text.
  ['Home', 2, null],
  ['End', 0, null],
  ['a', 1, null],
])('%s leads from result %i of three to %s', (key, from, to) => {
  expect(nextIndex(key, from, 3)).toBe(to)
})

test('without results no key leads anywhere', () => {
  expect(nextIndex('ArrowDown', 0, 0)).toBeNull()
})

const page = (url: string) => ({ url, title: url, library: 'atlas' })

test('a page is remembered once, in front, and the oldest gives way', () => {
  const list = ['/a', '/b', '/c'].map(page)
  expect(addSavedPage(list, page('/b'), 3).map(({ url }) => url)).toEqual(['/b', '/a', '/c'])
  expect(addSavedPage(list, page('/d'), 3).map(({ url }) => url)).toEqual(['/d', '/a', '/b'])
  expect(removeSavedPage(list, '/b').map(({ url }) => url)).toEqual(['/a', '/c'])
})

test.each([[null], ['{'], ['{}'], ['[{"url": "javascript:x", "title": "", "library": ""}, 1, null]']])(
  'what is stored as %s counts as nothing',
  (stored) => {
    expect(parseSavedPages(stored)).toEqual([])
  },
)

test('a search stands in the address and is read from it, pages counted from one', () => {
  const address = setSearchInUrl('https://acme.example/atlas?x=1&page=9#top', 'stale time', 2)
  expect(address).toBe('/atlas?x=1&q=stale+time&page=3#top')
  expect(readSearchFromUrl('?q=stale+time&page=3')).toEqual({ query: 'stale time', page: 2 })
  expect(setSearchInUrl(`https://acme.example${address}`, '', 2)).toBe('/atlas?x=1#top')
})

test('a search in the dialog does not change the URL of the search page', () => {
  expect(setSearchInUrl('https://acme.example/search?q=cache&page=2', 'other', 0)).toBe('/search?q=cache&page=2')
})

test.each([['?page=x'], ['?page=-4'], ['?page=1.5'], ['']])('%s asks for the first page of nothing', (search) => {
  expect(readSearchFromUrl(search)).toEqual({ query: '', page: 0 })
})

test.each([
  [8, 3, 3],
  [8, 999, 8],
  [0, 5, 1],
])('of %i pages, page %i is page %i', (pages, wanted, shown) => {
  expect(clampPage(pages, wanted)).toBe(shown)
})

test('search parameters round-trip through the address', () => {
  const params = { q: 'stale time', library: 'atlas', framework: 'react', page: 2 }
  expect(searchUrl(params)).toBe('/search?q=stale+time&library=atlas&framework=react&page=2')
  expect(searchUrl({ q: '', page: 1 })).toBe('/search')
  expect(parseSearchParams({ ...params, page: '2' })).toEqual(params)
  expect(parseSearchParams({ q: '  ' })).toEqual({})
  expect(parseSearchParams({ q: 404, page: 'x', library: ['atlas'], other: 'y' })).toEqual({ q: '404' })
})
