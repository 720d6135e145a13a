import { expect, test } from 'vitest'
import { HEIGHT, drawStrands, WIDTH } from './strands'

test.each([1, 2, 3, 5, 10, 11, 12, 20])('%d strands end in as many places, all of them within the drawing', (count) => {
  const ends = drawStrands(count).map(({ end }) => end)
  expect(new Set(ends.map(({ x, y }) => `${x} ${y}`)).size).toBe(count)
  for (const { x, y } of ends) {
    expect(x).toBeGreaterThan(24)
    expect(x).toBeLessThan(WIDTH - 24)
    expect(y).toBeGreaterThan(24)
    expect(y).toBeLessThan(HEIGHT)
  }
})

test.each([2, 3, 10, 11])('each of %d strands starts in a place of its own', (count) => {
  const starts = drawStrands(count).map(({ path }) => path.slice(0, path.indexOf('C')))
  expect(new Set(starts).size).toBe(count)
})
