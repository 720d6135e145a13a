// The keyboard: Tab reaches the names, arrow keys move between those of a block, the arrow down enters the popover, Escape closes it.
import { blockOf, prepareBlock } from './blockNames'
import { enterPopover, hidePopover, isInPopover, shownName, showPopover } from './symbolPopover'
import { focusableNames, NAME, nameOf } from './wrapNames'

export function serveKeys(): void {
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  document.addEventListener('keydown', onKey)
  // The event that loaded this bundle is over.
  onFocus({ target: document.activeElement })
}

function onFocus({ target }: Pick<Event, 'target'>): void {
  const code = blockOf(target)
  if (!code || !(target instanceof HTMLElement)) return
  // At once, so that a screen reader reads the description with the name.
  if (nameOf(target)) showIfFocused(target)
  else void prepareBlock(code).then(() => showIfFocused(target))
}

/** A name that a pointer has focused is shown by the pointer. */
function showIfFocused(name: HTMLElement): void {
  if (document.activeElement === name && name.matches(NAME) && name.matches(':focus-visible')) showPopover(name)
}

function onBlur({ target, relatedTarget }: FocusEvent): void {
  if (!shownName() || isInPopover(relatedTarget)) return
  if (target === shownName() || (isInPopover(target) && relatedTarget !== shownName())) hidePopover()
}

function onKey(event: KeyboardEvent): void {
  const { target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return
  const isHandled = key === 'Escape' ? close() : isInPopover(target) ? leave(event) : target.matches(NAME) && move(target, key)
  if (isHandled) event.preventDefault()
}

function close(): boolean {
  const isOpen = Boolean(shownName())
  hidePopover()
  return isOpen
}

/** Tab leads from the popover back to the name, from which it goes on. */
function leave({ key, target }: KeyboardEvent): boolean {
  if (key !== 'Tab') return false
  const name = shownName()
  if (!name || !(target instanceof HTMLElement)) return false
  name.focus({ preventScroll: true })
  return true
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, count) => count - 1,
}

function move(name: HTMLElement, key: string): boolean {
  const isButton = name.role === 'button' && (key === 'Enter' || key === ' ')
  if (isButton || key === 'ArrowDown') {
    if (!showPopover(name)) return isButton
    enterPopover()
    return true
  }
  const code = blockOf(name)
  const step = STEPS[key]
  if (!code || !step) return false
  const names = focusableNames(code)
  names[step(names.indexOf(name), names.length)]?.focus()
  return true
}
