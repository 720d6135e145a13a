import { expect, test } from 'vitest'
import { formatLineHash, parseLineHash } from './lineRange'

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
  expect(parseLineHash(hash)).toEqual(lines)
})

test('what is marked is read from the address it makes', () => {
  expect(formatLineHash({ from: 3, to: 3 })).toBe('#L3')
  expect(parseLineHash(formatLineHash({ from: 3, to: 9 }))).toEqual({ from: 3, to: 9 })
})
