import { expect, test } from 'vitest'
import { allowedWidth, NARROWEST, USUAL, WIDEST, widthAfter } from './tree'

test.each([
  [10, NARROWEST],
  [300.4, 300],
  [9999, WIDEST],
  [Number.NaN, USUAL],
])('of %d the tree takes %i', (wanted, width) => {
  expect(allowedWidth(wanted)).toBe(width)
})

test.each([
  ['ArrowLeft', 240, 224],
  ['ArrowRight', 240, 256],
  ['ArrowLeft', NARROWEST, NARROWEST],
  ['ArrowRight', WIDEST, WIDEST],
  ['Home', 240, NARROWEST],
  ['End', 240, WIDEST],
  ['Enter', 500, USUAL],
  ['Tab', 240, null],
])('%s changes %i to %s', (key, width, next) => {
  expect(widthAfter(key, width)).toBe(next)
})
