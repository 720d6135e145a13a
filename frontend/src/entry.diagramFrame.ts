// The script of the frame in which Mermaid draws. Mermaid writes style elements and attributes, which the
// Content-Security-Policy of pages forbids; the frame has a policy of its own (`manifest.ts`).
import mermaid from 'mermaid'

export type DrawDiagram = (code: string, dark: boolean, id: string) => Promise<SVGElement>

// Mermaid draws one diagram at a time, with global settings.
let queue: Promise<unknown> = Promise.resolve()

async function drawNow(code: string, dark: boolean, id: string): Promise<SVGElement> {
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: dark ? 'dark' : 'neutral', fontFamily: 'inherit' })
  const { svg } = await mermaid.render(id, code)
  const place = document.createElement('div')
  // Sanitized by Mermaid: security level `strict`.
  place.innerHTML = svg
  const drawn = place.querySelector('svg')
  if (!drawn) throw new Error('Mermaid drew nothing')
  return drawn
}

window.drawDiagram = (code, dark, id) => {
  const drawn = queue.then(() => drawNow(code, dark, id))
  queue = drawn.catch(() => undefined)
  return drawn
}
