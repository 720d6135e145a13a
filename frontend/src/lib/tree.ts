// The width of the tree of files, which the reader sets.

export const TREE_KEY = 'tree'
export const NARROWEST = 160
export const WIDEST = 560
export const USUAL = 240
export const STEP = 16

export function allowedWidth(wanted: number): number {
  return Number.isFinite(wanted) ? Math.round(Math.min(WIDEST, Math.max(NARROWEST, wanted))) : USUAL
}

/** The width after a key, or null for a key that means nothing here. */
export function widthAfter(key: string, width: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return allowedWidth(width - STEP)
    case 'ArrowRight':
      return allowedWidth(width + STEP)
    case 'Home':
      return NARROWEST
    case 'End':
      return WIDEST
    case 'Enter':
      return USUAL
    default:
      return null
  }
}

/** Stands before the tree, so that it has its width before it is painted. */
export const TREE_SCRIPT = `(function(){var w=+__kinfolk.read("${TREE_KEY}");if(w>=${NARROWEST}&&w<=${WIDEST})document.documentElement.style.setProperty("--tree",w+"px")})()`

/** Stands after the tree: the open file is in view before the app is there. */
export const REVEAL_SCRIPT = `(function(){var row=document.querySelector(".example-tree [aria-current]"),box=row&&row.closest("ul");if(box)box.scrollTop=row.offsetTop-box.clientHeight/2})()`
