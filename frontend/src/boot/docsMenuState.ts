// Stores which groups of the docs menu are open and how far the menu is scrolled, for each library.
import { MENU_GROUPS, MENU_SCROLL } from '../lib/storageKeys'
import { firstSegment } from './shownPage'

export function storeMenuState(): void {
  document.addEventListener('click', ({ target }) => {
    const group = target instanceof Element ? target.closest('summary')?.parentElement : null
    if (group instanceof HTMLDetailsElement && group.dataset.group) storeGroup(group.dataset.group, !group.open)
  })
  addEventListener('pagehide', storeScroll)
}

function storeGroup(name: string, open: boolean): void {
  const { __kinfolk } = window
  const key = MENU_GROUPS + firstSegment()
  let groups: object = {}
  try {
    groups = Object(JSON.parse(__kinfolk.read(key) ?? '{}'))
  } catch {
    // A value that cannot be parsed is overwritten.
  }
  __kinfolk.write(key, JSON.stringify({ ...groups, [name]: open }))
}

function storeScroll(): void {
  const menu = document.querySelector('[data-menu]')
  if (!menu?.clientHeight) return
  try {
    sessionStorage.setItem(MENU_SCROLL + firstSegment(), `${menu.scrollTop}`)
  } catch {
    return
  }
}
