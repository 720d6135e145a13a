import { expect, test, vi } from 'vitest'
import type { SearchClient, SearchOutcome } from './searchStore'
import { SearchStore } from './searchStore'

const FAILED: SearchOutcome = { kind: 'failed', failure: { reached: false, message: 'Check your connection.' } }
const START = { query: '', page: 0, library: ['atlas'], framework: [], version: 'latest' }

function answered(query: string, nbHits: number): SearchOutcome {
  return { kind: 'answered', results: [{ hits: [], query, page: 0, nbHits, nbPages: 1 }] }
}

/** A search whose answers come when the test says so, by query. */
function open(parameters = START) {
  const pending = new Map<string, (outcome: SearchOutcome) => void>()
  const search = vi.fn<SearchClient['search']>(
    ([request]) =>
      new Promise((resolve) => {
        pending.set(request?.query ?? '', resolve)
      }),
  )
  const store = new SearchStore({ search }, { index: 'acme', library: 'atlas', framework: null }, parameters)
  const answer = async (query: string, outcome: SearchOutcome) => {
    pending.get(query)?.(outcome)
    await Promise.resolve()
    await Promise.resolve()
  }
  return { store, search, answer }
}

test('an answer that comes after a later one is not shown', async () => {
  const { store, answer } = open()
  store.change({ query: 'c' })
  store.change({ query: 'ca' })
  await answer('ca', answered('ca', 2))
  await answer('c', answered('c', 1))
  expect(store.read()).toMatchObject({ answer: { query: 'ca', total: 2 }, status: 'idle' })
})

test('an answer to an earlier text is shown until the last one comes', async () => {
  const { store, answer } = open()
  store.change({ query: 'c' })
  store.change({ query: 'ca' })
  await answer('c', answered('c', 1))
  expect(store.read()).toMatchObject({ answer: { query: 'c' }, status: 'loading' })
})

test('an earlier search that fails while a later one is pending is not reported', async () => {
  const { store, answer } = open()
  store.change({ query: 'c' })
  store.change({ query: 'ca' })
  await answer('c', FAILED)
  expect(store.read()).toMatchObject({ failure: null, status: 'loading' })
  await answer('ca', answered('ca', 2))
  expect(store.read()).toMatchObject({ failure: null, answer: { query: 'ca' } })
})

test('a failure keeps the last answer, and stays until another answer', async () => {
  const { store, answer } = open()
  store.change({ query: 'c' })
  await answer('c', answered('c', 1))
  store.change({ query: 'ca' })
  await answer('ca', FAILED)
  expect(store.read()).toMatchObject({ failure: { reached: false }, answer: { query: 'c' }, status: 'idle' })
  void store.search()
  expect(store.read()).toMatchObject({ failure: { reached: false }, status: 'loading' })
  await answer('ca', answered('ca', 2))
  expect(store.read()).toMatchObject({ failure: null, answer: { query: 'ca' } })
})

test('a search is slow after 200 ms', async () => {
  vi.useFakeTimers()
  const { store, answer } = open()
  store.change({ query: 'c' })
  vi.advanceTimersByTime(150)
  store.change({ query: 'ca' })
  expect(store.read().status).toBe('loading')
  vi.advanceTimersByTime(60)
  expect(store.read().status).toBe('stalled')
  await answer('ca', answered('ca', 2))
  expect(store.read().status).toBe('idle')
  vi.useRealTimers()
})

test('a text without words has an answer at once, without a request', () => {
  const { store, search } = open()
  store.change({ query: '?' })
  expect(store.read()).toMatchObject({ answer: { query: '?', total: 0, hits: [] }, status: 'idle' })
  expect(search).not.toHaveBeenCalled()
})

test('a change begins at the first page, unless it is one of pages', () => {
  const { store } = open({ ...START, query: 'cache', page: 3 })
  store.change({ page: 2 })
  expect(store.read().parameters.page).toBe(2)
  store.change({ version: 'v1' })
  expect(store.read().parameters).toMatchObject({ page: 0, version: 'v1' })
})
