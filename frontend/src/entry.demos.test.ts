// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { demos } from 'virtual:demos'
import './entry.demos'
import { DEMO_WANTED, VISITED } from './lib/events'

const IDS = Object.keys(demos)
/** The first import of a library takes long on a busy machine. */
const TIMEOUT_MS = 20_000

vi.setConfig({ testTimeout: 2 * TIMEOUT_MS })

function show(ids: string[]): HTMLElement[] {
  document.body.innerHTML = ids.map((id) => `<div data-demo="${id}"><div data-unmanaged=""></div></div>`).join('')
  return [...document.querySelectorAll<HTMLElement>('[data-demo]')]
}

async function start(frame: HTMLElement): Promise<void> {
  frame.dataset.demoState = 'loading'
  frame.dispatchEvent(new Event(DEMO_WANTED, { bubbles: true }))
  await vi.waitFor(() => expect(frame.dataset.demoState).not.toBe('loading'), { timeout: TIMEOUT_MS })
}

test.each(IDS)('the demo of %s is rendered with a control', async (id) => {
  const [frame] = show([id])
  if (!frame) throw new Error('no frame')
  await start(frame)
  expect(frame.dataset.demoState).toBe('running')
  expect(frame.querySelector('button, input, [tabindex="0"]')).not.toBeNull()
})

test('frames on one page run their own demos, and a visit stops all', async () => {
  const frames = show(['store', 'table'])
  await Promise.all(frames.map(start))
  expect(frames.map((frame) => frame.querySelectorAll('article').length)).toEqual([2, 0])
  expect(frames.map((frame) => frame.querySelectorAll('table').length)).toEqual([0, 1])
  document.dispatchEvent(new Event(VISITED))
  expect(frames.map(({ dataset, textContent }) => [dataset.demoState, textContent])).toEqual([
    [undefined, ''],
    [undefined, ''],
  ])
  await Promise.all(frames.map(start))
  expect(frames.map(({ dataset }) => dataset.demoState)).toEqual(['running', 'running'])
})

test('a frame whose library has no demo in this build says that it failed', async () => {
  const [frame] = show(['nope'])
  if (!frame) throw new Error('no frame')
  await start(frame)
  expect(frame.dataset.demoState).toBe('failed')
})

test('a demo that arrives after a visit to another page does not start', async () => {
  const [frame] = show(['query'])
  if (!frame) throw new Error('no frame')
  frame.dataset.demoState = 'loading'
  frame.dispatchEvent(new Event(DEMO_WANTED, { bubbles: true }))
  delete frame.dataset.demoState
  await start(frame)
  expect(frame.querySelectorAll('article')).toHaveLength(2)
})
