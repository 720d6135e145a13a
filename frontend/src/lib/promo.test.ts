import { expect, test } from 'vitest'
import { splitRails, pickRotated, choosePartners, railLibraries, findDuplicates } from './promo'

const TEN = ['query', 'form', 'config', 'router', 'start', 'table', 'virtual', 'ranger', 'store', 'pacer'].map((id) => ({ id }))

test.each([
  [[], 0, 0],
  [[1], 1, 0],
  [[1, 2], 1, 1],
  [[1, 2, 3], 2, 1],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 5, 5],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 6, 5],
])('%j is shared out as %i and %i', (all, right, left) => {
  const shared = splitRails(all)
  expect([shared.right.length, shared.left.length]).toEqual([right, left])
  expect([...shared.right, ...shared.left]).toEqual(all)
})

test('a rail never shows the library one is reading about', () => {
  expect(railLibraries(TEN, 'right', 'config').map(({ id }) => id)).toEqual(['query', 'form', 'router', 'start'])
  expect(railLibraries(TEN, 'left', 'config').map(({ id }) => id)).toEqual(['table', 'virtual', 'ranger', 'store', 'pacer'])
})

test('within as many turns as there are, each has its turn once', () => {
  const shown = TEN.map((_, turn) => pickRotated(TEN, '/query/latest/docs/overview', turn)?.id)
  expect(new Set(shown)).toEqual(new Set(TEN.map(({ id }) => id)))
  expect(pickRotated(TEN, '/query/latest/docs/overview', TEN.length)?.id).toBe(shown[0])
})

test('a page always begins with the same one, and not every page with the same', () => {
  const pages = Array.from({ length: 40 }, (_, at) => `/query/latest/docs/page-${at}`)
  const begun = pages.map((page) => pickRotated(TEN, page, 0)?.id)
  expect(pages.map((page) => pickRotated(TEN, page, 0)?.id)).toEqual(begun)
  expect(new Set(begun).size).toBe(TEN.length)
})

test('pickRotated returns undefined for an empty list', () => {
  expect(pickRotated([], '/', 3)).toBeUndefined()
})

test('a library shows its own partners, else those of the whole family, else all', () => {
  const own = { name: 'own', libraries: ['query'] }
  const other = { name: 'other', libraries: ['table'] }
  const familyWide = { name: 'family-wide', libraries: [] }
  expect(choosePartners([own, other, familyWide], 'query')).toEqual([own])
  expect(choosePartners([own, other, familyWide], 'form')).toEqual([familyWide])
  expect(choosePartners([own, other], 'form')).toEqual([own, other])
  expect(choosePartners([own, other, familyWide])).toEqual([familyWide])
})

test('what repeats is everything but the first of its kind', () => {
  expect(findDuplicates(['a1', 'b1', 'a2', 'a3', 'b2'], (id) => id.slice(0, 1))).toEqual(['a2', 'a3', 'b2'])
})
