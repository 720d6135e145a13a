import { CONTENT_ID } from './layoutIds'

/** The container of portals: `<main>`, so that overlays are in a landmark. Null on the server. */
export function portalContainer(): HTMLElement | null {
  return typeof document === 'undefined' ? null : document.getElementById(CONTENT_ID)
}
