// Preloads what the reader is about to come to.

const MARGIN = '100px'
/** What a hand does to get further down a page. */
const MOVES = ['wheel', 'touchmove', 'keydown'] as const

/**
 * From the reader's first scrolling on, links marked `data-near` are preloaded once they are about to be seen. Gives what
 * is to be called when the page has other links.
 */
export function preloadNear(preload: (href: string) => void): () => void {
  let moved = false
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue
        observer.unobserve(target)
        preload(target.href)
      }
    },
    { rootMargin: MARGIN },
  )
  const watch = () => {
    observer.disconnect()
    if (moved) for (const link of document.querySelectorAll('a[data-near]')) observer.observe(link)
  }
  const begin = () => {
    moved = true
    for (const move of MOVES) removeEventListener(move, begin)
    watch()
  }
  for (const move of MOVES) addEventListener(move, begin, { passive: true })
  return watch
}
