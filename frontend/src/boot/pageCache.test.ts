// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const ORIGIN = 'https://acme.example'
const requested: string[] = []

function respond(body: string, { status = 200, type = 'text/html; charset=utf-8', url = '' } = {}) {
  vi.stubGlobal('fetch', (href: string) => {
    requested.push(href)
    const response = new Response(body, { status, headers: { 'content-type': type } })
    Object.defineProperty(response, 'url', { value: url || href })
    return Promise.resolve(response)
  })
}

// Each test has a cache of its own.
async function load() {
  vi.resetModules()
  return import('./pageCache')
}

beforeEach(() => {
  requested.length = 0
  vi.useFakeTimers()
  vi.stubGlobal('location', { origin: ORIGIN })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a page is requested once for all parts of it', async () => {
  respond('<h1>One</h1>')
  const { fetchPage, parsePage } = await load()
  const pages = await Promise.all([fetchPage(`${ORIGIN}/one`), fetchPage(`${ORIGIN}/one#part`)])
  expect(requested).toEqual([`${ORIGIN}/one`])
  expect(pages[0]).toBe(pages[1])
  expect(parsePage(pages[0])?.querySelector('h1')?.textContent).toBe('One')
})

test('a page is requested again when it is not fresh any more', async () => {
  respond('<h1>One</h1>')
  const { fetchPage } = await load()
  await fetchPage(`${ORIGIN}/one`)
  vi.advanceTimersByTime(5 * 60_000)
  await fetchPage(`${ORIGIN}/one`)
  expect(requested).toHaveLength(2)
})

test.each([
  ['a missing page', { status: 404 }],
  ['a file that is no page', { type: 'text/plain' }],
  ['a page of another origin', { url: 'https://other.example/one' }],
])('%s is left to the browser', async (_, response) => {
  respond('<h1>One</h1>', response)
  const { fetchPage } = await load()
  expect(await fetchPage(`${ORIGIN}/one`)).toBeUndefined()
})

test('a request that fails is left to the browser', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  const { fetchPage } = await load()
  expect(await fetchPage(`${ORIGIN}/one`)).toBeUndefined()
})
