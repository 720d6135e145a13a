import { expect, test } from 'vitest'
import type { BinAxis } from '../../../api/generated'
import { binName, binPosition, binShare, binStarts, isoDay, nearestBin, parseDay, rangeText } from './bins'

const axis = (about: Partial<BinAxis>): BinAxis => ({ unit: 'weekly', first: '2025-01-05', count: 4, aligned: false, partial: [], ...about })
const days = (about: Partial<BinAxis>) => binStarts(axis(about)).map(isoDay)

test.each([
  ['daily', '2024-02-28', ['2024-02-28', '2024-02-29', '2024-03-01']],
  ['weekly', '2024-12-29', ['2024-12-29', '2025-01-05', '2025-01-12']],
  ['monthly', '2024-12-01', ['2024-12-01', '2025-01-01', '2025-02-01']],
  ['yearly', '2024-01-01', ['2024-01-01', '2025-01-01', '2026-01-01']],
] as const)('%s bins begin in UTC, and the list ends with the day after the last one', (unit, first, expected) => {
  expect(days({ unit, first, count: 2 })).toEqual(expected)
})

test.each([{ aligned: true, first: '' }, { first: '' }, { first: 'soon' }])('%j has no dates', (about) => {
  expect(days(about)).toEqual([])
})

test.each([
  ['daily', '2025-01-05', 'Jan 5, 2025'],
  ['weekly', '2025-01-05', 'Week of Jan 5, 2025'],
  ['monthly', '2025-01-01', 'Jan 2025'],
  ['yearly', '2025-01-01', '2025'],
] as const)('a %s bin is named by its first day', (unit, first, name) => {
  expect(binName({ unit }, binStarts(axis({ unit, first })), 0)).toBe(name)
})

test('an aligned bin is named by its number', () => {
  expect(binName({ unit: 'monthly' }, [], 11)).toBe('Month 12 after the first release')
})

test('the range ends with the last day that has data', () => {
  const starts = binStarts(axis({}))
  expect(rangeText(axis({}), starts, null)).toBe('Jan 5, 2025 to Feb 1, 2025')
  expect(rangeText(axis({}), starts, '2025-01-30')).toBe('Jan 5, 2025 to Jan 30, 2025')
  expect(rangeText(axis({ unit: 'daily' }), binStarts(axis({ unit: 'daily', count: 1 })), null)).toBe('Jan 5, 2025')
  expect(rangeText(axis({ aligned: true, first: '' }), [], null)).toBe('Weeks after the first release')
  expect(rangeText(axis({ first: '' }), [], null)).toBe('')
  expect(rangeText(axis({ count: 0 }), binStarts(axis({ count: 0 })), null)).toBe('')
})

test('the position of a day is the number of its bin and the part that has passed', () => {
  const starts = binStarts(axis({ unit: 'monthly', first: '2025-01-01' }))
  const positions = ['2025-01-01', '2025-01-16', '2025-03-01', '2025-05-01'].map((day) => binPosition(starts, parseDay(day) ?? new Date(0)))
  expect(positions.map((position) => Math.round(position * 10) / 10)).toEqual([0, 0.5, 2, 4])
})

test('bins are between the ends of the axis, and a single one is in the middle', () => {
  expect([0, 1, 2].map((bin) => binShare(3, bin))).toEqual([0, 0.5, 1])
  expect(binShare(1, 0)).toBe(0.5)
})

test.each([
  [-5, 0],
  [0.24, 0],
  [0.26, 1],
  [0.9, 2],
  [7, 2],
])('%d is nearest to bin %i of three', (share, bin) => {
  expect(nearestBin(3, share)).toBe(bin)
})
