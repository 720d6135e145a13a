// Draws diagrams where a page has any, once the reader comes near. Until then, and without a script, they are their code.
import { THEME_CHANGED } from '../lib/events'

type Draw = (figure: Element) => Promise<void>

const NEAR = '300px'

let observer: IntersectionObserver | undefined

function draw(figure: Element): void {
  const from = document.querySelector<HTMLElement>('script[data-diagrams]')?.dataset.diagrams
  if (!from) return
  import(/* @vite-ignore */ from)
    .then(({ drawDiagram }: { drawDiagram: Draw }) => drawDiagram(figure))
    // The code says the same.
    .catch(() => undefined)
}

export function serveDiagrams(): void {
  document.addEventListener(THEME_CHANGED, () => {
    for (const figure of document.querySelectorAll('figure.mermaid.drawn')) draw(figure)
  })
}

export function awaitDiagrams(): void {
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
