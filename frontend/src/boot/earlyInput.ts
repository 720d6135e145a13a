// Holds the clicks and the Ctrl+K that come before the boot script. A page is readable seconds earlier on a slow
// line: its first tap would be lost, or follow a link that the app handles otherwise, and Ctrl+K would leave the page for
// the browser's own search. Part of the inline script in the head.
import { isSearchChord } from '../lib/search/searchShortcut'

/** What does nothing without a script, or something else. Menus that open as popovers work without one. */
const NEEDS_SCRIPT = 'button[type=button]:not([popovertarget]), [data-needs-app] a:not([target], [download])'

let clicked: HTMLElement | undefined
/** Ctrl+K and what is typed after it. */
const keys: KeyboardEvent[] = []

export function holdEarlyInput(): void {
  document.addEventListener('click', holdClick, { capture: true })
  document.addEventListener('keydown', holdKey)
}

function holdClick(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>(NEEDS_SCRIPT) : null
  if (!target || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  event.stopImmediatePropagation()
  // Only the last one: a reader who presses a toggle again wants it once.
  clicked?.removeAttribute('aria-busy')
  clicked = target
  target.setAttribute('aria-busy', 'true')
}

function holdKey(event: KeyboardEvent): void {
  if (!isSearchChord(event) && !(keys[0] && event.key.length === 1 && !(event.ctrlKey || event.metaKey))) return
  event.preventDefault()
  keys.push(event)
}

/** Repeats what was held. The boot script calls it, or what loads it if that fails: from then on, input takes effect at once. */
export function releaseInput(): void {
  document.removeEventListener('click', holdClick, { capture: true })
  document.removeEventListener('keydown', holdKey)
  clicked?.removeAttribute('aria-busy')
  clicked?.click()
  for (const key of keys) document.dispatchEvent(new KeyboardEvent('keydown', key))
}
