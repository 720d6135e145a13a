// The symbol popover: one element for all names, in the top layer, so that it shifts nothing.
import { MARKUP_CHANGED, VISITED } from '../lib/events'
import { SYMBOL_ID } from '../lib/layoutIds'
import { element } from '../reader/elements'
import { placeBeside } from './placeBeside'
import { popoverContent } from './popoverContent'
import { nameOf } from './wrapNames'

let popover: HTMLElement | undefined
/** The name that the popover is about, while it is open. */
let shown: HTMLElement | undefined

function create(): HTMLElement {
  const made = element('div', { className: 'symbol-popover', popover: 'manual', role: 'dialog', tabIndex: -1 })
  // A visit leaves it.
  made.dataset.permanent = ''
  document.body.append(made)
  return made
}

export function shownName(): HTMLElement | undefined {
  return shown
}

export function isInPopover(target: unknown): boolean {
  return target instanceof Node && Boolean(popover?.contains(target))
}

/** Shows what is known about a name. False if nothing is. */
export function showPopover(name: HTMLElement): boolean {
  const found = nameOf(name)
  if (!found || !name.isConnected) return false
  if (shown === name) return true
  hidePopover()
  popover ??= create()
  popover.ariaLabel = found.symbol.name
  popover.replaceChildren(...popoverContent(found.symbol, found.block))
  popover.scrollTop = 0
  popover.showPopover()
  shown = name
  name.setAttribute('aria-describedby', SYMBOL_ID)
  if (name.role) name.ariaExpanded = 'true'
  place()
  addEventListener('scroll', place, { capture: true, passive: true })
  addEventListener('resize', place)
  return true
}

/** Closes the popover. A focus within it goes back to the name. */
export function hidePopover(): void {
  const name = shown
  if (!popover || !name) return
  shown = undefined
  removeEventListener('scroll', place, { capture: true })
  removeEventListener('resize', place)
  if (isInPopover(document.activeElement)) name.focus({ preventScroll: true })
  popover.hidePopover()
  name.removeAttribute('aria-describedby')
  if (name.role) name.ariaExpanded = 'false'
}

function place(event?: Event): void {
  if (!popover || !shown || isInPopover(event?.target)) return
  if (!placeBeside(popover, shown)) hidePopover()
}

/** Moves the focus into the popover: to its link, or to the popover itself, which the keys then scroll. */
export function enterPopover(): void {
  const target = popover?.querySelector<HTMLElement>('a') ?? popover
  target?.focus({ preventScroll: true })
}

/** A popover of a page that is gone is about nothing. */
export function closeWithPage(): void {
  const closeIfGone = () => {
    if (shown && !shown.isConnected) hidePopover()
  }
  document.addEventListener(VISITED, hidePopover)
  document.addEventListener(MARKUP_CHANGED, closeIfGone)
}
