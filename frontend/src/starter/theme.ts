// The theme button, which every page has from the start.
import { THEME_CHANGED } from '../lib/events'
import { announce } from './announce'

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const

export function serveTheme(): void {
  const { __kinfolk } = window
  // One after the other: two choices told at once may arrive in either order.
  let told: Promise<unknown> = Promise.resolve()
  // The browser's own bar goes with the page.
  const colourBar = () => {
    for (const meta of document.querySelectorAll<HTMLMetaElement>('[data-scheme]')) {
      const { scheme } = meta.dataset
      const always = scheme === __kinfolk.mode ? '' : 'not all'
      meta.media = __kinfolk.mode === 'auto' ? `(prefers-color-scheme: ${scheme})` : always
    }
  }
  colourBar()
  document.addEventListener(THEME_CHANGED, colourBar)
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-theme-toggle]')) return
    const mode = NEXT[__kinfolk.mode]
    __kinfolk.setMode(mode)
    announce(`Colour theme: ${mode}`)
    // The server only keeps the cookie; the reader need not wait for it, nor hear that it failed.
    told = told.then(() => tell(mode)).catch(() => undefined)
  })
}

function tell(mode: Window['__kinfolk']['mode']): Promise<Response> {
  return fetch('/_server/theme.set?createServerFn', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { mode }, context: {} }),
    keepalive: true,
  })
}
