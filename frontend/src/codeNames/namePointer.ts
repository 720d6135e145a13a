// The pointer: a code block is prepared when it rests on it, and the popover of a name opens and closes with it.
import { blockOf, prepareBlock } from './blockNames'
import { hidePopover, isInPopover, shownName, showPopover } from './symbolPopover'
import { NAME, nameOf } from './wrapNames'

/** Scrolling moves code blocks below a pointer that rests. */
const REST_MS = 60
const SHOW_MS = 180
/** The time to reach the popover across the gap. */
const HIDE_MS = 250

let restTimer = 0
let showTimer = 0
let hideTimer = 0
let block: HTMLElement | null = null
/** Where the pointer is. */
let place: [number, number] | undefined

export function servePointer(): void {
  document.addEventListener('pointerover', onPointer, { passive: true })
  document.addEventListener('pointermove', ({ clientX, clientY }) => (place = [clientX, clientY]), { passive: true })
  document.addEventListener('pointerdown', onPress, { passive: true })
  document.addEventListener('click', onClick)
  // The pointer of a touch leaves with the finger.
  document.documentElement.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType !== 'touch') point(null)
  })
  // The event that loaded this bundle is over.
  if (hovered()) point(hovered())
}

/** Browsers update `:hover` some time after the document has changed. */
function hovered(): Element | null {
  return place ? document.elementFromPoint(...place) : ([...document.querySelectorAll(':hover')].at(-1) ?? null)
}

function onPointer({ target, pointerType }: PointerEvent): void {
  if (pointerType !== 'touch') point(target)
}

function point(target: EventTarget | null): void {
  const code = blockOf(target)
  if (code !== block) {
    block = code
    clearTimeout(restTimer)
    if (code) restTimer = window.setTimeout(() => void prepareBlock(code).then(() => pointAgain(code)), REST_MS)
  }
  clearTimeout(showTimer)
  clearTimeout(hideTimer)
  const name = target instanceof Element ? target.closest<HTMLElement>(NAME) : null
  if (name && nameOf(name)) showTimer = window.setTimeout(() => showPopover(name), shownName() ? HIDE_MS / 2 : SHOW_MS)
  if (shownName() && !isInPopover(target) && name !== shownName()) hideTimer = window.setTimeout(hideUnlessFocused, HIDE_MS)
}

/** The pointer may rest on what is a name only now. */
function pointAgain(code: HTMLElement): void {
  if (block === code) point(hovered())
}

/** The popover of a name that has the focus stays. */
function hideUnlessFocused(): void {
  const focused = document.activeElement
  if (isInPopover(focused) || (focused === shownName() && focused?.matches(':focus-visible'))) return
  hidePopover()
}

function onPress({ target }: PointerEvent): void {
  if (shownName() && !isInPopover(target) && !shownName()?.contains(target as Node)) hidePopover()
}

function onClick({ target }: MouseEvent): void {
  const name = target instanceof Element ? target.closest<HTMLElement>('.code-name') : null
  if (name) showPopover(name)
}
