import { expect, test } from 'vitest'
import { dateInWords, listInWords } from './words'

test('a date is the same day everywhere', () => {
  expect(dateInWords('2025-03-18')).toBe('Mar 18, 2025')
  expect(dateInWords('2025-01-01T00:00:00Z')).toBe('Jan 1, 2025')
  expect(dateInWords('soon')).toBe('soon')
})

test.each([
  [[], ''],
  [['Ann'], 'Ann'],
  [['Ann', 'Ben'], 'Ann and Ben'],
  [['Ann', 'Ben', 'Cleo'], 'Ann, Ben and Cleo'],
])('%j in words', (names: string[], words) => {
  expect(listInWords(names)).toBe(words)
})
