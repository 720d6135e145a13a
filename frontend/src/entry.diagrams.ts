// Bundle `diagrams`: draws diagrams with Mermaid. The boot script loads it when a diagram is about to become visible.
import mermaid from 'mermaid'

let last = 0
// Mermaid draws one diagram at a time, with global settings.
let queue: Promise<unknown> = Promise.resolve()

export function drawDiagram(figure: Element): Promise<void> {
  const drawn = queue.then(() => drawNow(figure))
  queue = drawn.catch(() => undefined)
  return drawn
}

async function drawNow(figure: Element): Promise<void> {
  const dark = document.documentElement.classList.contains('dark')
  const theme = dark ? 'dark' : 'neutral'
  const before = figure.querySelector<HTMLElement>('.diagram')
  if (before?.dataset.theme === theme) return
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme, fontFamily: 'inherit' })
  const { svg } = await mermaid.render(`Site-diagram-${(last += 1)}`, figure.querySelector('code')?.textContent ?? '')
  const place = before ?? document.createElement('div')
  place.className = 'diagram'
  place.dataset.theme = theme
  // Sanitized by Mermaid: security level `strict`.
  place.innerHTML = svg
  if (!before) figure.append(place)
  figure.classList.add('drawn')
}
