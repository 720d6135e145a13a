import { expect, test } from 'vitest'
import { HEIGHT, ROOT_BOX, WIDTH, drawRoot, drawStrands, freeShare, labelRoom } from './strands'

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

test.each([2, 3, 10, 11, 14])('tiles at the ends of %d strands have room', (count) => {
  const ends = drawStrands(count).map(({ end }) => end)
  for (const [index, { x, y }] of ends.entries()) {
    for (const other of ends.slice(index + 1)) expect(Math.hypot(x - other.x, y - other.y)).toBeGreaterThan(70)
  }
})

test.each([1, 10])('each of %d strands, pulled taut, has the commands and the ends of its path', (count) => {
  for (const { path, taut, foot, end } of drawStrands(count)) {
    expect(taut.replaceAll(/[^A-Z]/g, '')).toBe(path.replaceAll(/[^A-Z]/g, ''))
    for (const drawn of [path, taut]) {
      expect(drawn.startsWith(`M${foot} ${HEIGHT}C`)).toBe(true)
      expect(drawn.endsWith(` ${end.x} ${end.y}`)).toBe(true)
    }
  }
})

test('a loose end leads from the foot of its strand to the top of its card', () => {
  const path = drawRoot(0.7, 0.125)
  expect(path.startsWith('M700 0C')).toBe(true)
  expect(path.endsWith(` 125 ${ROOT_BOX.height}`)).toBe(true)
})

test.each([2, 3, 5, 7, 8, 9])('labels of %d strands reach no other label and no tile', (count) => {
  const [tile, line] = [WIDTH * 0.092, WIDTH * 0.0375]
  const { share, lines } = labelRoom(count)
  const boxes = drawStrands(count).map(({ end: { x, y } }) => {
    const half = Math.min((WIDTH * share) / 2, Math.max(tile / 2, Math.min(x, WIDTH - x) + WIDTH * 0.03))
    return {
      tile: { left: x - tile / 2, right: x + tile / 2, top: y - tile / 2, bottom: y + tile / 2 },
      label: { left: x - half, right: x + half, top: y + tile / 2, bottom: y + tile / 2 + lines * line },
    }
  })
  const covered = boxes.flatMap(({ label }, index) =>
    boxes
      .toSpliced(index, 1)
      .flatMap((other) => [other.tile, other.label])
      .filter((box) => label.left < box.right && box.left < label.right && label.top < box.bottom && box.top < label.bottom),
  )
  expect(covered).toEqual([])
})

test('fewer strands leave more room beside the drawing', () => {
  const shares = [1, 2, 3, 10, 20].map((count) => freeShare(drawStrands(count)))
  expect(shares).toEqual(shares.toSorted((a, b) => b - a))
  expect(shares[0]).toBeGreaterThan(0.4)
  expect(shares.at(-1)).toBeGreaterThanOrEqual(0)
})
