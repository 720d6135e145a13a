import { expect, test } from 'vitest'
import { packBounds, sponsorInitials, labelSize, tooltipSide } from './sponsorPack'

test.each([
  ['AG Grid', 'AG'],
  ['Nozzle.io', 'NI'],
  ['octocat', 'O'],
  ['Ada King Lovelace', 'AK'],
  ['🦀 Crab', '🦀C'],
  ['', ''],
])('the initials of %s are %s', (name, wanted) => {
  expect(sponsorInitials(name)).toBe(wanted)
})

test('the band reaches from the highest circle to the lowest', () => {
  const { top, height } = packBounds([
    { y: 0.3, r: 0.125 },
    { y: 0.5, r: 0.25 },
    { y: 0.75, r: 0.125 },
  ])
  expect([top, height].map((share) => share.toFixed(3))).toEqual(['0.175', '0.700'])
})

test('a longer name is set smaller, and every name fits into its circle', () => {
  const [short = 0, long = 0] = ['Neon', 'Speakeasy'].map((name) => labelSize({ name, r: 0.1 }) ?? 0)
  expect(short).toBeGreaterThan(long)
  expect(long * 0.62 * 'Speakeasy'.length).toBeLessThan(0.2)
})

test('a name that could not be read in its circle has no size', () => {
  expect(labelSize({ name: 'A Generous Person', r: 0.02 })).toBeNull()
})

test.each([
  [0.1, 0.1, 'right'],
  [0.5, 0.2, 'right'],
  [0.9, 0.1, 'left'],
  [0.5, 0.45, 'inside'],
])('a name is towards the middle, and within a large circle: at %d with radius %d %s', (x, r, wanted) => {
  expect(tooltipSide({ x, r })).toBe(wanted)
})
