const GAP = 6
const MARGIN = 8

/** Places a fixed element below another, or above where is more room, within the window. False if the other is not visible. */
export function placeBeside(placed: HTMLElement, target: HTMLElement): boolean {
  const [box] = target.getClientRects()
  const frame = target.closest('pre')?.getBoundingClientRect()
  if (!box || box.bottom < 0 || box.top > innerHeight) return false
  // Scrolled out of its code block.
  if (frame && (box.right < frame.left || box.left > frame.right)) return false
  const below = innerHeight - box.bottom - GAP - MARGIN
  const above = box.top - GAP - MARGIN
  placed.style.maxHeight = ''
  const { width, height } = placed.getBoundingClientRect()
  const isBelow = height <= below || below >= above
  placed.style.maxHeight = `${Math.min(Math.max(isBelow ? below : above, 0), height)}px`
  const left = Math.max(MARGIN, Math.min(box.left, document.documentElement.clientWidth - width - MARGIN))
  placed.style.left = `${left}px`
  placed.style.top = `${isBelow ? box.bottom + GAP : box.top - GAP - Math.min(height, above)}px`
  return true
}
