// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { dataFile, isStaticPage } from './staticSite'

test('names of data files are those that the export writes', () => {
  // tests/unit/cli/export/test_link_form.py has the same address.
  expect(dataFile('example.file', { library: 'query', path: null, name: 'ä' })).toBe('/_data/example.file/af914ac45e720a7a.json')
})

test('pages of a server are not static', () => {
  expect(isStaticPage()).toBe(false)
  document.documentElement.dataset.static = ''
  expect(isStaticPage()).toBe(true)
  delete document.documentElement.dataset.static
})
