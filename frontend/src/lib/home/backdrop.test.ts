import { expect, test } from 'vitest'
import { MAX_RADIUS, BLOBS, MIN_RADIUS, drawBlobs, blobTransform, animationStep } from './backdrop'

test('the first transition takes two seconds, every later one four, and two minutes lie between', () => {
  expect([0, 1, 2, 40].map(animationStep)).toEqual([
    { duration: 2000, next: 122_000 },
    { duration: 4000, next: 124_000 },
    { duration: 4000, next: 124_000 },
    { duration: 4000, next: 124_000 },
  ])
})

test.each([0, 0.5, 0.999_999])('a picture has four blobs of a radius from 700 to 1200 within the window: %d', (chance) => {
  const blobs = drawBlobs(() => chance)
  expect(blobs).toHaveLength(BLOBS)
  for (const { x, y, radius } of blobs) {
    expect(radius).toBeGreaterThanOrEqual(MIN_RADIUS)
    expect(radius).toBeLessThanOrEqual(MAX_RADIUS)
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
    expect(Math.max(x, y)).toBeLessThan(1)
  }
})

test('blobs are in different places', () => {
  let seed = 0
  const places = drawBlobs(() => (seed = (seed + 0.37) % 1)).map(({ x, y }) => `${x} ${y}`)
  expect(new Set(places).size).toBe(BLOBS)
})

test('a blob comes to its place by shares of the window and a scale', () => {
  expect(blobTransform({ x: 0.25, y: 1, radius: 900 }, 300)).toBe('translate(25.00vw, 100.00vh) scale(3.0000)')
})
