import { expect, test } from 'vitest'
import { HUE_PAIRS, chooseGradient } from './gradient'

test.each(HUE_PAIRS)('the hues %d and %d are at most 60 degrees apart and leave out what looks brown or olive', (from, to) => {
  expect(to - from).toBeGreaterThan(0)
  expect(to - from).toBeLessThanOrEqual(60)
  expect(from).toBeGreaterThan(130)
  expect(to).toBeLessThan(360)
})

test.each([0, 0.25, 0.5, 0.999_999])('the number %d chooses a pair', (random) => {
  const hues = Object.values(chooseGradient(random, null)).map((color) => Number(/(\d+)\)$/.exec(String(color))?.[1]))
  expect(HUE_PAIRS).toContainEqual(hues)
})
