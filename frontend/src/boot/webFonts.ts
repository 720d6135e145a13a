// Fetches the web fonts of a page that was painted without them: the next page is set in them, this one does not change.
// Not before the first gesture: a reader of one page needs none.
import { WEB_FONTS } from '../lib/bootApi'
import { VISITED } from '../lib/events'
import { FETCHED_FONT } from '../lib/storageKeys'

let isFetched = false

/** On a page that began with the fonts: the next one may begin with them. */
export function storeUsedFont(): void {
  const font = findFont()
  if (font && isInUse(font)) document.fonts.ready.then(() => window.__kinfolk.write(FETCHED_FONT, font))
}

export function fetchWebFonts(): void {
  const font = findFont()
  if (!font || isFetched || isInUse(font)) return
  isFetched = true
  const faces = parseFaces()
  Promise.all(faces.map((face) => face.load())).then(
    () => {
      window.__kinfolk.write(FETCHED_FONT, font)
      document.addEventListener(VISITED, () => faces.forEach((face) => document.fonts.add(face)), { once: true })
    },
    () => undefined,
  )
}

function findFont(): string | undefined {
  return document.querySelector<HTMLElement>('script[data-font]')?.dataset.font
}

/** Whether a rule of the document names the font: the page began with it. */
function isInUse(font: string): boolean {
  return document.querySelector(`link[rel=preload][href="${font}"]`) !== null
}

/** The `@font-face` rules in `noscript`, which is a text where scripts run. */
function parseFaces(): FontFace[] {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(document.getElementById(WEB_FONTS)?.textContent.replace(/<.*?>/g, '') ?? '')
  return [...sheet.cssRules].flatMap((rule) => {
    if (!(rule instanceof CSSFontFaceRule)) return []
    const [family, src, weight] = ['font-family', 'src', 'font-weight'].map((name) => rule.style.getPropertyValue(name))
    // The constructor takes the name without quotes.
    return family && src ? new FontFace(family.replaceAll('"', ''), src, weight ? { weight } : {}) : []
  })
}
