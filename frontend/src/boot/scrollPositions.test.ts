// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { SCROLL_POSITIONS } from '../lib/storageKeys'

// Each test imports the module anew, as each document does.
async function load() {
  vi.resetModules()
  return import('./scrollPositions')
}

function scroll(y: number): void {
  window.scrollTo(0, y)
  window.dispatchEvent(new Event('scroll'))
}

beforeEach(() => {
  sessionStorage.clear()
  history.replaceState(null, '', '/one')
  window.scrollTo(0, 0)
})

test('an entry gets a key and keeps the other state that it has', async () => {
  history.replaceState({ other: 1 }, '', '/one')
  const { trackScrollPositions } = await load()
  trackScrollPositions()
  expect(history.state).toEqual({ other: 1, visit: expect.any(String) })
})

test('going back gives the position where the reader left the entry', async () => {
  const { enterEntry, pushEntry, trackScrollPositions } = await load()
  trackScrollPositions()
  const first = history.state
  scroll(400)
  pushEntry('/two')
  expect(location.pathname).toBe('/two')
  scroll(30)
  const second = history.state
  history.replaceState(first, '', '/one')
  expect(enterEntry()).toEqual([0, 400])
  history.replaceState(second, '', '/two')
  expect(enterEntry()).toEqual([0, 30])
})

test('a new entry has no position', async () => {
  const { enterEntry, trackScrollPositions } = await load()
  trackScrollPositions()
  history.pushState(null, '', '/one#part')
  expect(enterEntry()).toBeUndefined()
})

test('scrolling while a page is replaced is not recorded', async () => {
  const { enterEntry, pauseTracking, pushEntry, trackScrollPositions } = await load()
  trackScrollPositions()
  const first = history.state
  scroll(400)
  const resume = pauseTracking()
  scroll(10)
  pushEntry('/two')
  window.scrollTo(0, 0)
  resume()
  history.replaceState(first, '', '/one')
  expect(enterEntry()).toEqual([0, 10])
})

test('positions are stored when the document is left', async () => {
  const { trackScrollPositions } = await load()
  trackScrollPositions()
  scroll(400)
  window.dispatchEvent(new Event('pagehide'))
  expect(JSON.parse(sessionStorage.getItem(SCROLL_POSITIONS) ?? '{}')).toEqual({ [history.state.visit]: [0, 400] })
  expect(history.scrollRestoration).toBe('auto')
})
