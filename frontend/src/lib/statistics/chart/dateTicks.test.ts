import { expect, test } from 'vitest'
import type { BinAxis } from '../../../api/generated'
import { binStarts } from './bins'
import { dateTicks } from './dateTicks'

function texts(about: Partial<BinAxis>, most: number): string[] {
  const axis: BinAxis = { unit: 'weekly', first: '2024-11-10', count: 53, aligned: false, partial: [], ...about }
  return dateTicks(axis, binStarts(axis), most).map(({ text }) => text)
}

test.each([
  [{ unit: 'daily', first: '2025-11-04', count: 7 }, 4, ['Nov 4', 'Nov 6', 'Nov 8', 'Nov 10']],
  [{ unit: 'daily', first: '2024-12-30', count: 4 }, 4, ['Dec 30', 'Dec 31', 'Jan 1', 'Jan 2']],
  [{}, 4, ['2025', 'Apr', 'Jul', 'Oct']],
  [{}, 12, ['Dec 2024', '2025', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov']],
  [{ unit: 'monthly', first: '2015-11-01', count: 120 }, 4, ['2016', '2020', '2024']],
  [{ unit: 'yearly', first: '2015-01-01', count: 3 }, 4, ['2015', '2016', '2017']],
  [{ aligned: true, first: '', count: 200 }, 5, ['50', '100', '150', '200']],
  [{ count: 1 }, 4, ['Nov 10']],
  [{ aligned: true, first: '', count: 1 }, 4, ['1']],
  [{ count: 0 }, 4, []],
] as const satisfies [Partial<BinAxis>, number, string[]][])('%j has at most %i ticks: %j', (about, most, expected) => {
  expect(texts(about, most)).toEqual(expected)
})

test.each(['daily', 'weekly', 'monthly', 'yearly'] as const)('%s axes of every length have ticks within the plot, in order', (unit) => {
  for (const count of [1, 2, 3, 5, 8, 13, 30, 31, 53, 90, 180, 365, 731, 3653]) {
    const axis: BinAxis = { unit, first: '2015-02-01', count, aligned: false, partial: [] }
    for (const most of [2, 4, 7, 12]) {
      const shares = dateTicks(axis, binStarts(axis), most).map(({ share }) => share)
      expect(shares.length).toBeGreaterThan(0)
      expect(shares.length).toBeLessThanOrEqual(most)
      expect(shares.every((share, at) => share >= 0 && share <= 1 && share > (shares[at - 1] ?? -1))).toBe(true)
    }
  }
})
