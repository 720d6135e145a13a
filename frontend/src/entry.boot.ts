// Bundle `boot`: the only file that every page loads as a script. It serves what needs no React (theme, tabs, copy buttons,
// menus, visits), and loads the other bundles when the reader interacts with what needs them.
import { hideClosedAnnouncementOfVisits } from './boot/announcementBar'
import { receiveReader } from './boot/arrivalNotice'
import { serveButtons } from './boot/buttonActions'
import { publishBuildFiles } from './boot/buildFiles'
import { addCopyButtons, serveCopyButtons } from './boot/copyButtons'
import { serveDemos } from './boot/demos'
import { storeMenuState } from './boot/docsMenuState'
import { closeDrawers, serveDrawers } from './boot/drawers'
import { loadOnInteraction, loadWhatPageNeeds } from './boot/interactions'
import { observeDiagrams, redrawDiagrams } from './boot/lazyDiagrams'
import { followLinks, observeNextPage } from './boot/links'
import { closeMenus } from './boot/menus'
import { trackScrollPositions } from './boot/scrollPositions'
import { collectHeadings, highlightHeading } from './boot/scrollSpy'
import { serveSearchShortcut } from './boot/searchShortcut'
import { rememberTabs } from './boot/tabs'
import { serveThemeToggle } from './boot/themeToggle'
import { restoreOnPopState } from './boot/visit'
import { watchStaleBuild } from './boot/staleBuild'
import { storeUsedFont } from './boot/webFonts'
import { whenIdle } from './boot/whenIdle'
import { loadWholeStyles } from './boot/documentStyles'
import { FRAMEWORK_CHANGED, MARKUP_CHANGED } from './lib/events'

publishBuildFiles()
watchStaleBuild()
window.__kinfolk.loadWholeStyles = loadWholeStyles
serveThemeToggle()
serveButtons()
hideClosedAnnouncementOfVisits()
serveCopyButtons()
serveSearchShortcut()
redrawDiagrams()
rememberTabs()
closeMenus()
storeMenuState()
serveDrawers()
highlightHeading()
trackScrollPositions()
loadOnInteraction()
serveDemos()
followLinks()
restoreOnPopState()
storeUsedFont()
window.__kinfolk.releaseInput()

let path = location.pathname

function updateForMarkup() {
  window.__kinfolk.applyPreferences()
  if (path !== location.pathname) {
    // A drawer that was open belonged to the previous page.
    closeDrawers()
    window.__kinfolk.scrollMenuToActive()
  }
  path = location.pathname
  receiveReader()
  addCopyButtons()
  observeDiagrams()
  collectHeadings()
  observeNextPage()
  loadWhatPageNeeds()
}

let isScheduled = false

/** Once for all changes of a frame, just before its paint: nothing that changes markup waits for it. */
function scheduleUpdate() {
  if (isScheduled) return
  isScheduled = true
  requestAnimationFrame(() => {
    isScheduled = false
    updateForMarkup()
  })
}
document.addEventListener(MARKUP_CHANGED, scheduleUpdate)
document.addEventListener(FRAMEWORK_CHANGED, () => {
  collectHeadings()
  loadWhatPageNeeds()
})
// Inline scripts have done what must be right at the first paint; doing more before it would only delay it.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => whenIdle(updateForMarkup))
else whenIdle(updateForMarkup)
