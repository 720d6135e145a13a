// The starter: the only script a page runs by itself. It serves what needs no framework — theme, tabs, copying, menus —
// before and after React is there, and fetches the app when the reader first does something.
import { FRAMEWORK_CHANGED, MARKUP_CHANGED } from './lib/events'
import { browse } from './starter/browse'
import { serveButtons } from './starter/buttons'
import { serveCopying } from './starter/copy'
import { awaitDiagrams, serveDiagrams } from './starter/diagrams'
import { whenIdle } from './starter/idle'
import { serveKeys } from './starter/keys'
import { decorate, rememberTabs } from './starter/markup'
import { closeMenus, keepMenu, release, serveDrawers } from './starter/menus'
import { followReading, readOutline } from './starter/outline'
import { serveTheme } from './starter/theme'

serveTheme()
serveButtons()
serveCopying()
serveKeys()
serveDiagrams()
rememberTabs()
closeMenus()
keepMenu()
serveDrawers()
followReading()
browse()

let path = location.pathname

function renew() {
  window.__kinfolk.settle()
  if (path !== location.pathname) {
    // The page went, and a drawer that was open with it.
    release()
    window.__kinfolk.reveal()
  }
  path = location.pathname
  decorate()
  awaitDiagrams()
  readOutline()
}
let waiting = false

/** Once for all that changes together, before it is painted: React need not wait for what it costs. */
function soon() {
  if (waiting) return
  waiting = true
  requestAnimationFrame(() => {
    waiting = false
    renew()
  })
}
document.addEventListener(MARKUP_CHANGED, soon)
document.addEventListener(FRAMEWORK_CHANGED, readOutline)
// What must be right before it is painted is done by scripts within the page; this would only hold up the painting.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => whenIdle(renew))
else whenIdle(renew)
