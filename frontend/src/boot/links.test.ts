// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a page is fetched by the address that its link had when the reader pointed at it', async () => {
  vi.useFakeTimers()
  const requested: string[] = []
  vi.stubGlobal('__kinfolk', { base: '' })
  vi.stubGlobal('fetch', (href: string) => {
    requested.push(href)
    return Promise.reject(new Error('offline'))
  })
  const { followLinks } = await import('./links')
  followLinks()
  const link = document.createElement('a')
  link.href = '/query/v3'
  document.body.append(link)
  link.dispatchEvent(new Event('pointerover', { bubbles: true }))
  // A visit reuses the element for another link.
  link.href = 'https://example.com/elsewhere'
  vi.runAllTimers()
  expect(requested).toEqual([`${location.origin}/query/v3`])
})
