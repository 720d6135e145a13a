// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { DEMO_WANTED } from '../lib/events'
import { serveDemos } from './demos'

let opened = 0
let wanted: string[] = []
let fetched: string[] = []
let isOnline = true

serveDemos()
document.addEventListener(DEMO_WANTED, ({ target }) => wanted.push((target as HTMLElement).dataset.demo ?? ''))

/** A frame whose files no test has loaded before. */
function show(): { frame: HTMLElement; files: string[] } {
  opened += 1
  const files = [`data:text/javascript,${opened}`, `data:text/javascript,'${opened}'`]
  document.body.innerHTML = `<div data-demo="atlas" data-files="${files.join(' ')}"><svg></svg><button>Try it</button></div><p>Text</p>`
  return { frame: document.body.firstElementChild as HTMLElement, files }
}

function touch(element: Element | null, type: string, init: PointerEventInit = {}): void {
  element?.dispatchEvent(type === 'focusin' ? new Event(type, { bubbles: true }) : new PointerEvent(type, { bubbles: true, ...init }))
}

beforeEach(() => {
  vi.stubGlobal('fetch', async (url: string) => {
    fetched.push(url)
    if (!isOnline) throw new TypeError('Failed to fetch')
    return new Response('')
  })
  wanted = []
  fetched = []
  isOnline = true
  Object.defineProperty(navigator, 'connection', { value: undefined, configurable: true })
})

test('nothing is loaded before the reader touches the drawing', () => {
  const { frame } = show()
  touch(document.querySelector('p'), 'pointermove', { pointerType: 'mouse', movementX: 1 })
  touch(frame.firstElementChild, 'pointermove', { pointerType: 'mouse' })
  expect(fetched).toEqual([])
})

test('a mouse that moves over the drawing starts the demo once', async () => {
  const { frame, files } = show()
  for (let moves = 0; moves < 3; moves += 1) touch(frame.firstElementChild, 'pointermove', { pointerType: 'mouse', movementX: 1 })
  expect(frame.dataset.demoState).toBe('loading')
  await vi.waitFor(() => expect(wanted).toEqual(['atlas']))
  expect(fetched).toEqual(files)
})

test.each([
  ['the focus', 'focusin', {}],
  ['a finger', 'pointerdown', { pointerType: 'touch' }],
])('%s only downloads the demo, and a click starts it', async (_, type, init) => {
  const { frame, files } = show()
  touch(frame.querySelector('button'), type, init)
  expect([fetched, frame.dataset.demoState]).toEqual([files, undefined])
  touch(frame.querySelector('button'), 'click')
  await vi.waitFor(() => expect(wanted).toEqual(['atlas']))
  expect(fetched).toEqual(files)
})

test('a failure is shown, and only a click tries again', async () => {
  const { frame, files } = show()
  isOnline = false
  touch(frame.querySelector('button'), 'click')
  await vi.waitFor(() => expect(frame.dataset.demoState).toBe('failed'))
  isOnline = true
  touch(frame.firstElementChild, 'pointermove', { pointerType: 'mouse', movementX: 1 })
  expect(fetched).toEqual(files)
  touch(frame.querySelector('button'), 'click')
  await vi.waitFor(() => expect(wanted).toEqual(['atlas']))
})

test('with data saver on, only a click loads the demo', async () => {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
  const { frame } = show()
  touch(frame.firstElementChild, 'pointermove', { pointerType: 'mouse', movementX: 1 })
  touch(frame.querySelector('button'), 'focusin')
  expect(fetched).toEqual([])
  touch(frame.firstElementChild, 'click')
  await vi.waitFor(() => expect(wanted).toEqual(['atlas']))
})
