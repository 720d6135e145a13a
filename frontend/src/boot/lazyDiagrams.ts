// Draws diagrams shortly before they become visible. Until then, and without a script, a diagram is shown as its code.
import { THEME_CHANGED } from '../lib/events'
import { reloadIfStale } from './staleBuild'
import { loadWholeStyles } from './documentStyles'

type DrawDiagram = (figure: Element) => Promise<void>

const NEAR = '300px'

let observer: IntersectionObserver | undefined

function draw(figure: Element): void {
  const url = window.__kinfolk.files?.diagrams
  if (!url) return
  const bundle: Promise<{ drawDiagram: DrawDiagram }> = import(/* @vite-ignore */ url)
  const loaded = Promise.all([bundle, loadWholeStyles()])
  loaded.catch(reloadIfStale)
  loaded
    .then(([{ drawDiagram }]) => drawDiagram(figure))
    // The code stays visible.
    .catch(() => undefined)
}

/** Redraws diagrams in the colors of a changed theme. */
export function redrawDiagrams(): void {
  document.addEventListener(THEME_CHANGED, () => {
    for (const figure of document.querySelectorAll('figure.mermaid.drawn')) draw(figure)
  })
}

export function observeDiagrams(): void {
  observer?.disconnect()
  observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        observer?.unobserve(target)
        draw(target)
      }
    },
    { rootMargin: NEAR },
  )
  for (const figure of document.querySelectorAll('figure.mermaid:not(.drawn)')) observer.observe(figure)
}
