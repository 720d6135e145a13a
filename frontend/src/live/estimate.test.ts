import { expect, test } from 'vitest'
import { estimate } from './estimate'

test('a total grows by the mean of a day, from the end of the day that was counted', () => {
  const midnight = Date.parse('2026-11-21T00:00:00Z')
  expect(estimate(1000, 240, '2026-11-20', midnight)).toBe(1000)
  expect(estimate(1000, 240, '2026-11-20', midnight + 3_600_000)).toBe(1010)
  expect(estimate(1000, 240, '2026-11-20', midnight + 4 * 86_400_000)).toBe(1960)
})

test('nothing is estimated from an old count, or one of the future', () => {
  expect(estimate(1000, 240, '2026-11-10', Date.parse('2026-11-21T00:00:00Z'))).toBeUndefined()
  expect(estimate(1000, 240, '2026-11-22', Date.parse('2026-11-21T00:00:00Z'))).toBeUndefined()
})
