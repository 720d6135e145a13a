// The button that bookmarks a docs page, and the marks of bookmarked pages in the menu.
import { announce } from './elements'
import { MARKUP_CHANGED, READER_ACTION, SAVED_CHANGED } from '../lib/events'
import { removeItem, savedItem, savedItems, saveItem } from '../lib/accounts/savedItems'
import { shownPage } from './docsPage'
import { currentPath, withoutBase } from '../lib/paths'

export function serveBookmarks(): void {
  show()
  document.addEventListener(SAVED_CHANGED, show)
  document.addEventListener(MARKUP_CHANGED, show)
  document.addEventListener(READER_ACTION, (event) => {
    if ((event as CustomEvent<string>).detail === 'bookmark') toggle()
  })
}

function toggle(): void {
  const page = shownPage()
  if (!page) return
  const { address, title, library, digest } = page
  if (savedItem('bookmark', address)) removeItem('bookmark', address)
  else saveItem('bookmark', address, { title, library, digest, heading: '' })
  announce(savedItem('bookmark', address) ? 'Page bookmarked' : 'Bookmark removed')
}

/** Only a change is written, because any write notifies observers of the markup. */
function show(): void {
  const pressed = String(savedItem('bookmark', currentPath()) !== undefined)
  const label = pressed === 'true' ? 'Remove the bookmark from this page' : 'Bookmark this page'
  for (const button of document.querySelectorAll<HTMLElement>('[data-bookmark]')) {
    if (button.getAttribute('aria-pressed') === pressed) continue
    button.setAttribute('aria-pressed', pressed)
    button.title = label
  }
  markMenu()
}

function markMenu(): void {
  const bookmarked = new Set(savedItems('bookmark').map(({ key }) => key))
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-menu] a')) {
    const has = bookmarked.has(withoutBase(link.pathname))
    if (has !== link.hasAttribute('data-bookmarked')) link.toggleAttribute('data-bookmarked', has)
  }
}
