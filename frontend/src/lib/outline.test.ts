import { expect, test } from 'vitest'
import type { DocHeading } from '../api/generated'
import { shownFramework } from './outline'

const headings = (...frameworks: (string | null)[]): DocHeading[] =>
  frameworks.map((framework, at) => ({ id: `${at}`, text: `${at}`, level: 2, framework }))

test("the page's own framework is shown first, then React, then the first there is", () => {
  expect(shownFramework(headings(null, 'solid', 'react', 'vue'), 'vue')).toBe('vue')
  expect(shownFramework(headings('solid', 'react'), undefined)).toBe('react')
  expect(shownFramework(headings('solid', 'vue'), 'lit')).toBe('solid')
  expect(shownFramework(headings(null), 'vue')).toBeNull()
})
