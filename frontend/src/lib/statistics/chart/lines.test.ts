import { expect, test } from 'vitest'
import type { BinAxis } from '../../../api/generated'
import { decimate } from './decimate'
import { PLOT, linePaths } from './lines'
import { valueScale } from './valueScale'

type Values = readonly (number | null)[]
interface About {
  partial?: number[]
  gaps?: number[]
  fixed?: number[]
  log?: boolean
}

function paths(values: Values, { partial = [], gaps = [], fixed = [], log = false }: About = {}) {
  const axis: BinAxis = { unit: 'weekly', first: '2025-01-05', count: values.length, aligned: false, partial }
  return linePaths({ values: [...values], gaps, fixed }, axis, valueScale([values], 'count', log))
}

/** The ends of the commands of a path, as [x, y]. */
function ends(path: string): [number, number][] {
  let [x, y] = [0, 0]
  return [...path.matchAll(/([Mlch])([^Mlch]*)/g)].map(([, command = '', text = '']) => {
    const numbers = text.match(/-?\d+/g)?.map(Number) ?? []
    const [dx = 0, dy = 0] = command === 'h' ? [0, 0] : numbers.slice(-2)
    ;[x, y] = command === 'M' ? [dx, dy] : [x + dx, y + dy]
    return [x, y]
  })
}

test('a line begins at the left and ends at the right', () => {
  const [first, second, third] = ends(paths([0, 5, 10]).solid)
  expect(first).toEqual([0, PLOT.height])
  expect(second).toEqual([PLOT.width / 2, PLOT.height / 2])
  expect(third).toEqual([PLOT.width, 0])
})

test('missing values break a line, and a value without neighbors is a dot', () => {
  const { solid, dots } = paths([1, 2, null, 3, null, 4, 5])
  expect(solid.match(/M/g)).toHaveLength(2)
  expect(ends(dots)[0]?.[0]).toBe(PLOT.width / 2)
})

test('zero breaks a line on a logarithmic scale only', () => {
  expect(paths([10, 100, 0, 10, 100], { log: true }).solid.match(/M/g)).toHaveLength(2)
  expect(paths([10, 100, 0, 10, 100]).solid.match(/M/g)).toHaveLength(1)
})

test('lines to partial bins, and to bins with gaps or fixed ones, have styles of their own', () => {
  const { solid, partial, doubtful } = paths([1, 2, 3, 4, 5, 6, 7, 8], { partial: [0, 7], gaps: [3], fixed: [4] })
  const bins = (path: string) => ends(path).map(([x]) => Math.round((x / PLOT.width) * 7))
  expect(bins(partial)).toEqual([0, 1, 6, 7])
  expect(bins(doubtful)).toEqual([2, 3, 4, 5])
  expect(bins(solid)).toEqual([1, 2, 5, 6])
})

test('lines are curves below 400 points', () => {
  const wave = (count: number) => Array.from({ length: count }, (_, at) => Math.sin(at) + 2)
  expect(paths(wave(399)).solid).toContain('c')
  expect(paths(wave(400)).solid).not.toContain('c')
})

test('a curve does not leave the values it connects', () => {
  const { solid } = paths([5, 5, 0, 0, 9, 9])
  let y = 0
  for (const [, command, text = ''] of solid.matchAll(/([Mlc])([^Mlc]*)/g)) {
    const numbers = text.match(/-?\d+/g)?.map(Number) ?? []
    const highs = command === 'M' ? [numbers[1] ?? 0] : numbers.filter((_, at) => at % 2 === 1).map((number) => number + y)
    y = highs.at(-1) ?? 0
    expect(Math.min(...highs)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...highs)).toBeLessThanOrEqual(PLOT.height)
  }
})

test('a series of more than 1,000 points has about 900, with its extremes and all bins of other styles', () => {
  const values = Array.from({ length: 3652 }, (_, at) => 100 + (at % 7) * 3)
  values[1234] = 1000
  const { solid, doubtful } = paths(values, { gaps: [2000] })
  const points = [...ends(solid), ...ends(doubtful)]
  expect(points.length).toBeGreaterThan(850)
  expect(points.length).toBeLessThan(950)
  expect(points.some(([, y]) => y === 0)).toBe(true)
  expect(ends(doubtful).some(([x]) => Math.abs(x - (2000 / 3651) * PLOT.width) <= 1)).toBe(true)
})

test('a narrow plot has fewer points', () => {
  const values = Array.from({ length: 800 }, (_, at) => at % 7)
  const axis: BinAxis = { unit: 'daily', first: '2025-01-05', count: 800, aligned: false, partial: [] }
  const narrow = linePaths({ values, gaps: [], fixed: [] }, axis, valueScale([values], 'count', false), { width: 1600, height: 300 })
  expect(ends(narrow.solid)).toHaveLength(360)
})

test.each([
  [[]],
  [[null]],
  [[null, null, null]],
  [[7]],
  [[0]],
  [[0, 0, 0]],
  [[-5, 5, -1e9]],
  [[1e300, 1, 1e-300]],
  [[1e308, -1e308, 3]],
  [[Number.NaN, 1, Number.POSITIVE_INFINITY, 2]],
] as const)('%j gives paths of whole numbers', (values: Values) => {
  for (const log of [false, true]) {
    for (const path of Object.values(paths(values, { log, partial: [0, 99], gaps: [-1, 1] }))) expect(path).toMatch(/^[Mlch\d -]*$/)
  }
})

test('decimation keeps the first and the last point, and as many as it may', () => {
  const values = Array.from({ length: 100 }, (_, at) => (at === 41 ? 50 : at % 3))
  const selected = decimate(values, 10)
  expect(selected).toHaveLength(10)
  expect([selected[0], selected.at(-1)]).toEqual([0, 99])
  expect(selected).toContain(41)
  expect(decimate([1, 2, 3], 10)).toEqual([0, 1, 2])
})
