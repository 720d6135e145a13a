// The notice of a page that a redirect or a menu led to: the server renders it, by the parameter `from` of the URL.
import { CONTENT_ID } from '../lib/layoutIds'
import { announce } from './announce'

const ORIGIN = 'from'

function notice(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-arrival]')
}

/** Removes the parameter from the address bar, so that a copied link has no notice, and announces the notice once. */
export function receiveReader(): void {
  const text = notice()?.querySelector('p')?.innerText
  const url = new URL(location.href)
  if (!text || !url.searchParams.has(ORIGIN)) return
  url.searchParams.delete(ORIGIN)
  history.replaceState(history.state, '', url)
  announce(text)
}

export function dismissArrival(): void {
  const shown = notice()
  if (!shown) return
  shown.hidden = true
  // The button that had the focus is hidden.
  document.getElementById(CONTENT_ID)?.focus({ preventScroll: true })
}
