// Fetches the web fonts of a page that was painted without them: the next page is set in them, this one does not change.
// Not before the first gesture: a reader of one page needs none.
import { WEB_FONTS } from '../lib/bootApi'
import { VISITED } from '../lib/events'
import { FETCHED_FONT } from '../lib/storageKeys'

export function fetchWebFonts(): void {
  const { font } = document.querySelector<HTMLElement>('script[data-font]')?.dataset ?? {}
  // With a preload, the page began with the fonts.
  if (!font || document.querySelector(`link[rel=preload][href="${font}"]`)) return
  const faces = parseFaces()
  // Italic faces are loaded by pages with italic text.
  Promise.all(faces.filter(({ style }) => style !== 'italic').map((face) => face.load())).then(
    () => {
      window.__kinfolk.write(FETCHED_FONT, font)
      document.addEventListener(VISITED, () => faces.forEach((face) => document.fonts.add(face)), { once: true })
    },
    () => undefined,
  )
}

/** The `@font-face` rules in `noscript`, which is a text where scripts run. */
function parseFaces(): FontFace[] {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(document.getElementById(WEB_FONTS)?.textContent.replace(/<.*?>/g, '') ?? '')
  return [...sheet.cssRules].flatMap((rule) => {
    if (!(rule instanceof CSSFontFaceRule)) return []
    const value = (name: string) => rule.style.getPropertyValue(`font-${name}`) || 'normal'
    // The constructor takes the name without quotes.
    const family = value('family').replaceAll('"', '')
    return new FontFace(family, rule.style.getPropertyValue('src'), { weight: value('weight'), style: value('style'), display: 'optional' })
  })
}
