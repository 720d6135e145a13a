import { expect, test } from 'vitest'
import { formatCompact, formatExact, formatShort } from './numbers'

test.each([
  [0, '0'],
  [-0, '0'],
  [0.00004, '4e-5'],
  [0.0123, '0.012'],
  [0.5, '0.5'],
  [1.234, '1.23'],
  [12.34, '12.3'],
  [999, '999'],
  [999.7, '1k'],
  [1000, '1k'],
  [1234, '1.23k'],
  [99_960, '100k'],
  [999_999, '1M'],
  [3_400_000, '3.4M'],
  [-1500, '\u22121.5k'],
  [2e9, '2B'],
  [5.5e13, '55T'] as const,
  [999.9e12, '1000T'],
  [1e15, '1e15'],
  [1.7e300, '1.7e300'],
])('%d is %s', (value, text) => {
  expect(formatCompact(value)).toBe(text)
})

test.each([
  [12.5, 'percent', '12.5%'],
  [12.5, 'signed-percent', '+12.5%'],
  [-3, 'signed-percent', '\u22123%'],
  [0, 'signed-percent', '0%'],
  [1.5, 'index', '1.5'],
] as const)('%d as %s is %s', (value, kind, text) => {
  expect(formatShort(value, kind)).toBe(text)
  expect(formatExact(value, kind)).toBe(text)
})

test.each([
  [1_234_567, '1,234,567'],
  [1234.6, '1,235'],
  [-1234, '\u22121,234'],
  [0.25, '0.25'],
  [-0.2, '\u22120.2'],
  [0, '0'],
  [3e20, '3e20'],
])('a count of %d has all digits: %s', (value, text) => {
  expect(formatExact(value, 'count')).toBe(text)
})
