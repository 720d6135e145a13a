// Starts the demo of a library when the reader touches its drawing: a click or tap, or a mouse that moves over it.
import { DEMO_WANTED } from '../lib/events'
import { loadFiles } from './bundles'
import { loadWholeStyles } from './documentStyles'
import { isMeteredConnection } from './connection'

const TOUCHES = ['pointermove', 'pointerdown', 'focusin', 'click'] as const

export function serveDemos(): void {
  for (const type of TOUCHES) document.addEventListener(type, onTouch, { passive: true })
}

function onTouch(event: Event): void {
  const frame = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-files]') : null
  if (!frame || isAtRest(event)) return
  const { demoState } = frame.dataset
  if (event.type === 'click') {
    if (!demoState || demoState === 'failed') run(frame)
  } else if (!demoState && !isMeteredConnection()) {
    if (isMouse(event)) run(frame)
    // A finger may only scroll the page, and the focus only pass by.
    else load(frame).catch(() => undefined)
  }
}

/** Some browsers dispatch `pointermove` when a page appears below a pointer that rests. */
function isAtRest(event: Event): boolean {
  return event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY
}

function isMouse(event: Event): boolean {
  return event instanceof PointerEvent && event.pointerType === 'mouse'
}

function load(frame: HTMLElement): Promise<unknown> {
  return loadFiles(frame.dataset.files ?? '', loadWholeStyles)
}

function run(frame: HTMLElement): void {
  frame.dataset.demoState = 'loading'
  load(frame).then(
    () => frame.dispatchEvent(new Event(DEMO_WANTED, { bubbles: true })),
    () => {
      if (frame.dataset.demoState === 'loading') frame.dataset.demoState = 'failed'
    },
  )
}
