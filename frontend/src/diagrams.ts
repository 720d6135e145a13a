// Mermaid, in files of their own: fetched where a diagram comes into view.
import mermaid from 'mermaid'

let last = 0
// Mermaid draws one diagram at a time, with settings for all.
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
  const { svg } = await mermaid.render(`diagram-${(last += 1)}`, figure.querySelector('code')?.textContent ?? '')
  const place = before ?? document.createElement('div')
  place.className = 'diagram'
  place.dataset.theme = theme
  // Mermaid has cleaned it, as its security level says.
  place.innerHTML = svg
  if (!before) figure.append(place)
  figure.classList.add('drawn')
}
