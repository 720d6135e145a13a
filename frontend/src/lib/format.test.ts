import { expect, test } from 'vitest'
import { formatDate, formatList } from './format'

test('a date is the same day everywhere', () => {
  expect(formatDate('2025-03-18')).toBe('Mar 18, 2025')
  expect(formatDate('2025-01-01T00:00:00Z')).toBe('Jan 1, 2025')
  expect(formatDate('soon')).toBe('soon')
})

test.each([
  [[], ''],
  [['Ann'], 'Ann'],
  [['Ann', 'Ben'], 'Ann and Ben'],
  [['Ann', 'Ben', 'Cleo'], 'Ann, Ben and Cleo'],
])('%j in words', (names: string[], words) => {
  expect(formatList(names)).toBe(words)
})
