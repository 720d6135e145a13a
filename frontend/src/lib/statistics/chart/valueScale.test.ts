import { expect, test } from 'vitest'
import { valueScale, valueTicks } from './valueScale'

test.each([
  [[[3, 7.2, null]], 0, 8],
  [[[-60, 420]], -100, 500],
  [[[0, 0]], 0, 1],
  [[[null]], 0, 1],
  [[], 0, 1],
  [[[5], [12]], 0, 12],
] as const)('a linear scale of %j is from %d to %d', (lists, low, high) => {
  expect(valueScale(lists, 'count', false)).toMatchObject({ log: false, low, high })
})

test.each([
  [[[0, 3, 4000]], 2, 5000],
  [[[150_000, 50_000_000]], 100_000, 50_000_000],
  [[[7]], 5, 10],
  [[[10]], 10, 100],
] as const)('a logarithmic scale of %j is from %d to %d', (lists, low, high) => {
  const scale = valueScale(lists, 'count', true)
  expect(scale.log).toBe(true)
  expect([scale.low, scale.high].map((value) => Math.round(value))).toEqual([low, high])
})

test('a logarithmic scale has no zero', () => {
  const scale = valueScale([[0, 1, 1000]], 'count', true)
  expect(scale.share(0)).toBeNull()
  expect(scale.share(-1)).toBeNull()
  expect(scale.share(1000)).toBeCloseTo(1)
})

test('changes in per cent, and values that are all zero, have a linear scale', () => {
  expect(valueScale([[1, 2]], 'signed-percent', true).log).toBe(false)
  expect(valueScale([[0, -2]], 'count', true).log).toBe(false)
})

test.each([
  [[0, 12e6], false, 400, [0, 2e6, 4e6, 6e6, 8e6, 10e6, 12e6]],
  [[0, 12e6], false, 120, [0, 5e6, 10e6]],
  [[1e5, 1e8], true, 400, [1e5, 1e6, 1e7, 1e8]],
  [[10, 90], true, 400, [10, 20, 50, 100]],
] as const)('ticks of %j (logarithmic: %s) at %i pixels', (values, log, height, expected) => {
  const ticks = valueTicks(valueScale([values], 'count', log), height)
  expect(ticks.map((tick) => Math.round(tick))).toEqual(expected)
})

test.each([[1e-300], [1e300], [1e308, 1], [Number.MIN_VALUE], [Number.MIN_VALUE, 1e299], [-1e299, 1e299], [1e15, 1e15 + 1]])(
  '%d gives finite shares and few ticks',
  (...values) => {
    for (const log of [false, true]) {
      const scale = valueScale([values], 'count', log)
      const ticks = valueTicks(scale, 400)
      expect(ticks.length).toBeLessThan(30)
      expect(ticks.every((tick) => Number.isFinite(scale.share(tick)))).toBe(true)
    }
  },
)
