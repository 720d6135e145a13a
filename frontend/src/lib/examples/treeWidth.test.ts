import { expect, test } from 'vitest'
import { clampWidth, MIN_WIDTH, DEFAULT_WIDTH, MAX_WIDTH, widthForKey } from './treeWidth'

test.each([
  [10, MIN_WIDTH],
  [300.4, 300],
  [9999, MAX_WIDTH],
  [Number.NaN, DEFAULT_WIDTH],
])('of %d the tree takes %i', (wanted, width) => {
  expect(clampWidth(wanted)).toBe(width)
})

test.each([
  ['ArrowLeft', 240, 224],
  ['ArrowRight', 240, 256],
  ['ArrowLeft', MIN_WIDTH, MIN_WIDTH],
  ['ArrowRight', MAX_WIDTH, MAX_WIDTH],
  ['Home', 240, MIN_WIDTH],
  ['End', 240, MAX_WIDTH],
  ['Enter', 500, DEFAULT_WIDTH],
  ['Tab', 240, null],
])('%s changes %i to %s', (key, width, next) => {
  expect(widthForKey(key, width)).toBe(next)
})
