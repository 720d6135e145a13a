// The width of the file tree, which the reader can change.

export const TREE_KEY = 'tree'
export const MIN_WIDTH = 160
export const MAX_WIDTH = 560
export const DEFAULT_WIDTH = 240
export const STEP = 16

export function clampWidth(wanted: number): number {
  return Number.isFinite(wanted) ? Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, wanted))) : DEFAULT_WIDTH
}

/** The width after a key press; null for keys without a function. */
export function widthForKey(key: string, width: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return clampWidth(width - STEP)
    case 'ArrowRight':
      return clampWidth(width + STEP)
    case 'Home':
      return MIN_WIDTH
    case 'End':
      return MAX_WIDTH
    case 'Enter':
      return DEFAULT_WIDTH
    default:
      return null
  }
}

/** Placed before the tree, so that the stored width is applied before the first paint. */
export const TREE_SCRIPT = `(function(){var w=+__kinfolk.read("${TREE_KEY}");if(w>=${MIN_WIDTH}&&w<=${MAX_WIDTH})document.documentElement.style.setProperty("--tree",w+"px")})()`

/** Placed after the tree: scrolls to the open file before hydration. */
export const SCROLL_SCRIPT = `(function(){var row=document.querySelector(".example-tree [aria-current]"),box=row&&row.closest("ul");if(box)box.scrollTop=row.offsetTop-box.clientHeight/2})()`
