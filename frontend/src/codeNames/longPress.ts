// Touch: a code block is prepared when it is touched, and a long press on a name opens its popover.
import { blockOf, prepareBlock } from './blockNames'
import { showPopover } from './symbolPopover'
import { NAME } from './wrapNames'

/** Shorter than the press that opens the menu of the browser. */
const PRESS_MS = 420
const MOVED_PX = 10

let timer = 0
let start = { x: 0, y: 0 }
/** Whether the last press has opened the popover. */
let hasOpened = false

export function serveTouch(): void {
  document.addEventListener('pointerdown', startPress, { passive: true })
  document.addEventListener('pointermove', onMove, { passive: true })
  for (const type of ['pointerup', 'pointercancel']) document.addEventListener(type, cancel, { passive: true })
  document.addEventListener('contextmenu', onMenu)
  document.addEventListener('click', onClick, { capture: true })
}

/** Takes the press that loaded this bundle, if it lasts: until then, its target captures the pointer. */
export function receivePress(event: Event): void {
  if (!(event instanceof PointerEvent) || event.type !== 'pointerdown' || !(event.target instanceof Element)) return
  if (event.target.hasPointerCapture(event.pointerId)) startPress(event)
}

function startPress({ target, pointerType, isPrimary, clientX, clientY, timeStamp }: PointerEvent): void {
  hasOpened = false
  cancel()
  const code = blockOf(target)
  if (!code || !isPrimary || pointerType === 'mouse') return
  start = { x: clientX, y: clientY }
  const prepared = prepareBlock(code)
  const press = window.setTimeout(() => {
    void prepared.then(() => {
      if (press === timer) open()
    })
  }, PRESS_MS - (performance.now() - timeStamp))
  timer = press
}

/** What is a name only now is another element than the one that was touched. */
function open(): void {
  const name = document.elementFromPoint(start.x, start.y)?.closest<HTMLElement>(NAME)
  hasOpened = Boolean(name && showPopover(name))
}

function onMove({ clientX, clientY }: PointerEvent): void {
  if (timer && Math.hypot(clientX - start.x, clientY - start.y) > MOVED_PX) cancel()
}

function cancel(): void {
  clearTimeout(timer)
  timer = 0
}

/** Neither the menu of a link nor a selection covers the popover. */
function onMenu(event: Event): void {
  if (hasOpened) event.preventDefault()
}

/** The end of a long press follows no link. */
function onClick(event: MouseEvent): void {
  if (!hasOpened) return
  hasOpened = false
  event.preventDefault()
  event.stopImmediatePropagation()
}
