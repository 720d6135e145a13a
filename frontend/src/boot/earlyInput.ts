// Holds a click that comes before the boot script. A page is readable seconds earlier on a slow line, and its first tap
// would be lost, or follow a link that the app handles otherwise. Part of the inline script in the head.

/** What does nothing without a script, or something else. Menus that open as popovers work without one. */
const NEEDS_SCRIPT = 'button[type=button]:not([popovertarget]), [data-needs-app] a:not([target], [download])'

let held: HTMLElement | undefined

export function holdEarlyClicks(): void {
  document.addEventListener('click', hold, { capture: true })
}

function hold(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>(NEEDS_SCRIPT) : null
  if (!target || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  event.stopImmediatePropagation()
  // Only the last one: a reader who presses a toggle again wants it once.
  held?.removeAttribute('aria-busy')
  held = target
  target.setAttribute('aria-busy', 'true')
}

/** Repeats the held click. The boot script calls it, or what loads it if that fails: from then on, clicks take effect at once. */
export function releaseClick(): void {
  document.removeEventListener('click', hold, { capture: true })
  const target = held
  held = undefined
  target?.removeAttribute('aria-busy')
  target?.click()
}
