// The theme button.
import type { ColorMode } from '../lib/bootApi'
import { MARKUP_CHANGED, THEME_CHANGED } from '../lib/events'
import { announce } from './announce'

const NEXT_MODE = { auto: 'light', light: 'dark', dark: 'auto' } as const

export function serveThemeToggle(): void {
  const { __kinfolk } = window
  // Requests run one after the other: concurrent ones may arrive in either order.
  let saved: Promise<unknown> = Promise.resolve()
  // The color of the browser's own bar.
  const updateThemeColor = () => {
    for (const meta of document.querySelectorAll<HTMLMetaElement>('[data-scheme]')) {
      const { scheme } = meta.dataset
      const always = scheme === __kinfolk.mode ? '' : 'not all'
      meta.media = __kinfolk.mode === 'auto' ? `(prefers-color-scheme: ${scheme})` : always
    }
  }
  updateThemeColor()
  document.addEventListener(THEME_CHANGED, updateThemeColor)
  document.addEventListener(MARKUP_CHANGED, updateThemeColor)
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-theme-toggle]')) return
    const mode = NEXT_MODE[__kinfolk.mode]
    __kinfolk.setMode(mode)
    announce(`Color theme: ${mode}`)
    // A file of an export has no server.
    if ('static' in document.documentElement.dataset) return
    // The server only sets a cookie: its failure changes nothing on the page.
    saved = saved.then(() => saveMode(mode)).catch(() => undefined)
  })
}

function saveMode(mode: ColorMode): Promise<Response> {
  return fetch(`${window.__kinfolk.base}/_server/theme.set?createServerFn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { mode }, context: {} }),
    keepalive: true,
  })
}
