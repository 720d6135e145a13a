// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import type { BootApi } from '../lib/bootApi'
import { removeItem, saveItem } from '../lib/accounts/savedItems'
import { serveBookmarks } from './bookmarkButton'

beforeEach(() => {
  const stored: Record<string, string> = {}
  const api: Pick<BootApi, 'read' | 'write'> = {
    read: (key) => stored[key],
    write: (key, value) => void (stored[key] = value),
  }
  window.__kinfolk = api as BootApi
})

test('bookmarked pages are marked in the menu', () => {
  document.body.innerHTML = '<nav data-menu=""><a href="/query/latest/docs/one">One</a><a href="/query/latest/docs/two">Two</a></nav>'
  const marked = () => Array.from(document.querySelectorAll('[data-bookmarked]'), (link) => link.textContent)
  serveBookmarks()
  expect(marked()).toEqual([])
  saveItem('bookmark', '/query/latest/docs/two', { title: 'Two', library: 'query', digest: '', heading: '' })
  expect(marked()).toEqual(['Two'])
  removeItem('bookmark', '/query/latest/docs/two')
  expect(marked()).toEqual([])
})
