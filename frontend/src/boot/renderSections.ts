// Renders the sections that a page skips at first (`content-visibility` in SkippedSections.css), one in a frame: on a slow phone,
// all of them at once would delay the first gestures.
import { whenIdle } from './whenIdle'

export function renderSections(): void {
  const section = document.querySelector('.section:not([data-rendered])')
  if (!section) return
  requestAnimationFrame(() => {
    whenIdle(() => {
      section.toggleAttribute('data-rendered', true)
      renderSections()
    })
  })
}
