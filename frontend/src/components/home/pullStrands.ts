// Animates the strand of a library that the reader clicks in the drawing of the home page, then follows the link.

/** As long as the transitions of FamilyDrawing.css. */
const PULL_MS = 300

const LEAF = 'a.home-leaf'
const STRAND = '.home-strand'

/** Whether links are followed at once. */
const still = matchMedia('not (prefers-reduced-motion: no-preference)')

export function pullStrands(): void {
  // While capturing: the boot script follows links on the window.
  document.addEventListener('click', pull, { capture: true })
  // A page that the reader goes back to may be the one that was left.
  addEventListener('pageshow', release)
}

function pull(event: MouseEvent): void {
  const leaf = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(LEAF) : null
  const strand = leaf?.closest<HTMLElement>(STRAND)
  if (!leaf || !strand || still.matches || !isPlainClick(event)) return
  // The click below, which follows the link.
  if (!event.isTrusted && strand.dataset.pulled !== undefined) return
  event.preventDefault()
  event.stopPropagation()
  if (strand.dataset.pulled !== undefined) return
  release()
  strand.dataset.pulled = ''
  setTimeout(() => {
    leaf.click()
    strand.removeAttribute('data-pulled')
  }, PULL_MS)
}

function release(): void {
  for (const strand of document.querySelectorAll(`${STRAND}[data-pulled]`)) strand.removeAttribute('data-pulled')
}

function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
