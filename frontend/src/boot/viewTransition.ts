// Visits between pages with different marks of a library: the mark moves and the hue fades, as styles/view-transitions.css says.

/** The one logo that stands for the page's library. */
const MARK = '[data-mark]'

/** Changes the document by `update`, at once unless the page's mark changes: a transition takes a frame to begin. */
export function transitionTo(next: Document, update: () => void): void {
  const [old, coming] = [describeMark(document), describeMark(next)]
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!old || !coming || old === coming || isCalm || !document.startViewTransition) return update()
  // Rejected if the transition is skipped, for example by the next visit. The document is updated anyway.
  document.startViewTransition(update).ready.catch(() => undefined)
}

/** Where the mark is, and its library, whose icon the page has. */
function describeMark(page: Document): string | undefined {
  const mark = page.querySelector<HTMLElement>(MARK)
  return mark ? `${mark.dataset.mark} ${page.querySelector('link[rel=icon]')?.getAttribute('href')}` : undefined
}
