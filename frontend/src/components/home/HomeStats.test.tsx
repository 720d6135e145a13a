// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { render } from '../../../tests/render'
import { HomeStats } from './HomeStats'

const figures = { stars: null, contributorsPerRepository: null, dependentsPerPackage: null, downloadsTotal: null, downloadsPerDay: null }
const counts = { libraries: 10, frameworks: 11, versions: 12, pages: 100, examples: 5 }

test.each([
  [counts, 'This site documents 12 versions of 10 libraries for 11 frameworks.'],
  [{ ...counts, versions: 10 }, 'This site documents 10 libraries for 11 frameworks.'],
  [{ ...counts, libraries: 1, frameworks: 0, versions: 2 }, 'This site documents 2 versions of 1 library.'],
  [{ ...counts, frameworks: 1, versions: 1234 }, 'This site documents 1,234 versions of 10 libraries for 1 framework.'],
])('%j is one sentence', async (given, text) => {
  const { container } = await render(<HomeStats counts={given} figures={figures} />)
  expect(container.querySelector('.home-facts')?.textContent).toBe(text)
})

test('a family with neither several versions nor frameworks has no sentence', async () => {
  const { container } = await render(<HomeStats counts={{ ...counts, frameworks: 0, versions: 10 }} figures={figures} />)
  expect(container.querySelector('.home-stats')).toBeNull()
})
