import { expect, test } from 'vitest'
import type { DocHeading } from '../api/generated'
import { defaultFramework } from './tableOfContents'

const headings = (...frameworks: (string | null)[]): DocHeading[] =>
  frameworks.map((framework, at) => ({ id: `${at}`, text: `${at}`, level: 2, framework }))

test("the page's own framework is shown first, then React, then the first there is", () => {
  expect(defaultFramework(headings(null, 'solid', 'react', 'vue'), 'vue')).toBe('vue')
  expect(defaultFramework(headings('solid', 'react'), undefined)).toBe('react')
  expect(defaultFramework(headings('solid', 'vue'), 'lit')).toBe('solid')
  expect(defaultFramework(headings(null), 'vue')).toBeNull()
})
