// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RELOADED_AT } from '../lib/storageKeys'
import { reloadIfStale, watchStaleBuild } from './staleBuild'

const reload = vi.fn<() => void>()
const requested = vi.fn<(href: string, cache: RequestCache | undefined) => void>()

/** A page of the build that the document is of, or of another one. */
function respond(boot: string | undefined) {
  vi.stubGlobal('fetch', (href: string, init: RequestInit) => {
    requested(href, init.cache)
    return boot ? Promise.resolve(new Response(`<script data-boot="${boot}"></script>`)) : Promise.reject(new TypeError('offline'))
  })
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000 })
  vi.stubGlobal('location', { href: 'https://acme.example/docs', reload })
  document.head.innerHTML = '<script data-boot="/assets/boot-1.js"></script>'
  sessionStorage.clear()
  reload.mockReset()
  requested.mockReset()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a page is loaded again once the site has another build', async () => {
  respond('/assets/boot-2.js')
  await reloadIfStale()
  expect(requested).toHaveBeenCalledWith('https://acme.example/docs', 'no-store')
  expect(reload).toHaveBeenCalledOnce()
})

test.each([
  ['of the same build', '/assets/boot-1.js'],
  ['without a connection', undefined],
])('a page %s is not loaded again', async (_, boot) => {
  respond(boot)
  await reloadIfStale()
  expect(reload).not.toHaveBeenCalled()
})

test('two builds that take turns do not reload a page in a loop', async () => {
  respond('/assets/boot-2.js')
  await reloadIfStale()
  vi.advanceTimersByTime(299_000)
  await reloadIfStale()
  expect(reload).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(2000)
  await reloadIfStale()
  expect(reload).toHaveBeenCalledTimes(2)
})

test('a page is not loaded again where nothing can be stored', async () => {
  respond('/assets/boot-2.js')
  vi.stubGlobal('sessionStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  await reloadIfStale()
  expect(reload).not.toHaveBeenCalled()
})

test('a part of the app that is gone reloads the page', async () => {
  respond('/assets/boot-2.js')
  watchStaleBuild()
  dispatchEvent(new Event('vite:preloadError'))
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
  expect(sessionStorage.getItem(RELOADED_AT)).not.toBeNull()
})
