// Stores which web font the browser has, so that the next page begins with it.
import { FETCHED_FONT } from '../lib/storageKeys'

/** On a page that began with the fonts. Other pages fetch them after the first gesture (reader/webFonts.ts). */
export function storeUsedFont(): void {
  const { font } = document.querySelector<HTMLElement>('script[data-font]')?.dataset ?? {}
  if (font && document.querySelector(`link[rel=preload][href="${font}"]`)) {
    document.fonts.ready.then(() => window.__kinfolk.write(FETCHED_FONT, font))
  }
}
