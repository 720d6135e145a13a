import { expect, test } from 'vitest'
import { listPageLinks } from './pagination'

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 9, [1, 2, 3, null, 9]],
  [5, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [6, 12, [1, null, 4, 5, 6, 7, 8, null, 12]],
  [12, 12, [1, null, 10, 11, 12]],
])('on page %i of %i these are shown: %j', (page, pages, shown) => {
  expect(listPageLinks(page, pages)).toEqual(shown)
})
