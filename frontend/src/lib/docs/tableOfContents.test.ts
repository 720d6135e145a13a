import { expect, test } from 'vitest'
import type { DocHeading } from '../../api/generated'
import { defaultFramework } from './tableOfContents'

const headings = (...frameworks: (string | null)[]): DocHeading[] =>
  frameworks.map((framework, at) => ({ id: `${at}`, text: `${at}`, level: 2, framework }))

test("the page's own framework is shown first, then React, then the first there is", () => {
  expect(defaultFramework(headings(null, 'solid', 'react', 'vue'), 'vue', 'react')).toBe('vue')
  expect(defaultFramework(headings('solid', 'react'), undefined, 'react')).toBe('react')
  expect(defaultFramework(headings('solid', 'vue'), 'lit', 'react')).toBe('solid')
  expect(defaultFramework(headings(null), 'vue', 'react')).toBeNull()
})
