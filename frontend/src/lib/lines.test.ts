import { expect, test } from 'vitest'
import { hashOf, linesOf } from './lines'

test.each([
  ['#L10', { from: 10, to: 10 }],
  ['#L10-L20', { from: 10, to: 20 }],
  ['#L20-L10', { from: 10, to: 20 }],
  ['#L0', null],
  ['#L10-L0', null],
  ['#l10', null],
  ['#L10-20', null],
  ['#L1-L2-L3', null],
  ['#Line', null],
  ['', null],
])('%s marks %o', (hash, lines) => {
  expect(linesOf(hash)).toEqual(lines)
})

test('what is marked is read from the address it makes', () => {
  expect(hashOf({ from: 3, to: 3 })).toBe('#L3')
  expect(linesOf(hashOf({ from: 3, to: 9 }))).toEqual({ from: 3, to: 9 })
})
