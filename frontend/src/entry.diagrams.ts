// Bundle `diagrams`: shows diagrams, which a frame draws. The boot script loads it when a diagram is about to become visible.
import type { DrawDiagram } from './entry.diagramFrame'

declare global {
  interface Window {
    /** In the frame. */
    drawDiagram?: DrawDiagram
  }
}

interface Frame {
  element: HTMLIFrameElement
  page: Document
  draw: DrawDiagram
}

let opened: Promise<Frame> | undefined
let last = 0
/** Rules of the diagrams by their figures. */
const sheets = new Map<Element, CSSStyleSheet>()

export async function drawDiagram(figure: Element): Promise<void> {
  const dark = document.documentElement.classList.contains('dark')
  const theme = dark ? 'dark' : 'neutral'
  const before = figure.querySelector<HTMLElement>('.diagram')
  if (before?.dataset.theme === theme) return
  const { element, page, draw } = await openFrame()
  // Some diagrams are as wide as what contains them.
  element.style.width = `${figure.clientWidth}px`
  page.body.style.font = getComputedStyle(document.body).font
  await page.fonts.load(page.body.style.font).catch(() => undefined)
  const svg = await draw(figure.querySelector('code')?.textContent ?? '', dark, `Site-diagram-${(last += 1)}`)
  const place = before ?? document.createElement('div')
  place.className = 'diagram'
  place.dataset.theme = theme
  adoptRules(figure, svg)
  place.replaceChildren(adoptElement(svg))
  if (!before) figure.append(place)
  figure.classList.add('drawn')
}

/** The frame, once its script has run. A failed one is replaced by the next call. */
function openFrame(): Promise<Frame> {
  opened ??= new Promise<Frame>((resolve, reject) => {
    const element = document.createElement('iframe')
    element.src = window.__kinfolk.files?.diagramFrame ?? ''
    element.tabIndex = -1
    element.ariaHidden = 'true'
    // A visit leaves it.
    element.dataset.permanent = ''
    // Not `display: none`, in which no text has a size.
    Object.assign(element.style, { position: 'fixed', visibility: 'hidden', insetInlineStart: '-300vw', border: '0' })
    element.addEventListener('load', () => {
      const page = element.contentDocument
      const draw = element.contentWindow?.drawDiagram
      if (page && draw) {
        copyFonts(page)
        return resolve({ element, page, draw })
      }
      opened = undefined
      element.remove()
      reject(new Error('The frame for diagrams did not load'))
    })
    document.body.append(element)
  })
  return opened
}

/** Text in the frame is as wide as in this page. */
function copyFonts(page: Document): void {
  const rules = [...document.styleSheets, ...document.adoptedStyleSheets].flatMap(({ cssRules }) => Array.from(cssRules))
  const faces = rules.filter((rule) => rule instanceof CSSFontFaceRule).map(({ cssText }) => cssText)
  // A stylesheet can be adopted by the document only whose window made it.
  const style = page.createElement('style')
  style.textContent = faces.join('')
  page.head.append(style)
}

/** Moves the text of the style elements into a stylesheet of this document. Its selectors begin with the id of the diagram. */
function adoptRules(figure: Element, svg: SVGElement): void {
  const styles = [...svg.querySelectorAll('style')]
  for (const drawn of sheets.keys()) if (!drawn.isConnected) sheets.delete(drawn)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles.map(({ textContent }) => textContent).join(''))
  const others = document.adoptedStyleSheets.filter((one) => one !== sheets.get(figure))
  sheets.set(figure, sheet)
  document.adoptedStyleSheets = [...others, sheet]
  for (const style of styles) style.remove()
}

/** Moves an element into this document, where the policy applies to style attributes but not to what scripts set. */
function adoptElement(svg: SVGElement): SVGElement {
  const styled = [svg, ...svg.querySelectorAll<SVGElement>('[style]')].map((element) => [element, element.style.cssText] as const)
  for (const [element] of styled) element.removeAttribute('style')
  document.adoptNode(svg)
  for (const [element, style] of styled) if (style) element.style.cssText = style
  return svg
}
