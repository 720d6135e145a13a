import { expect, test, vi } from 'vitest'
import { readAreaFiles } from './areaFiles'

test('files of parts of the site are named by their addresses', () => {
  const files = { areas: '/docs/assets/page-notes-0a1b2c3d.css /assets/exportSearch-7c3d4e1.js' }
  vi.stubGlobal('window', { __kinfolk: { files } })
  expect(readAreaFiles()).toEqual({ 'page-notes': '/docs/assets/page-notes-0a1b2c3d.css', exportSearch: '/assets/exportSearch-7c3d4e1.js' })
})
