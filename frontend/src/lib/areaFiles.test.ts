import { expect, test, vi } from 'vitest'
import { readAreaFiles } from './areaFiles'

test('files of parts of the site are named by their addresses', () => {
  const files = { areas: '/docs/assets/page-notes-0a1b2c3d.css /assets/home-a-b_c3d4.js' }
  vi.stubGlobal('window', { __kinfolk: { files } })
  expect(readAreaFiles()).toEqual({ 'page-notes': '/docs/assets/page-notes-0a1b2c3d.css', home: '/assets/home-a-b_c3d4.js' })
})
