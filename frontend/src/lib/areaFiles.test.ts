// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { readAreaFiles } from './areaFiles'

test('files of parts of the site are named by their addresses', () => {
  document.body.innerHTML = '<script type="application/json" data-app="" data-styles="/docs/assets/page-notes-0a1b2c3d.css /assets/home-a-b_c3d4.js"></script>'
  expect(readAreaFiles()).toEqual({ 'page-notes': '/docs/assets/page-notes-0a1b2c3d.css', home: '/assets/home-a-b_c3d4.js' })
})
