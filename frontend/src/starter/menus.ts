// Menus: closed by a click elsewhere, by Escape and by following a link. The docs menu keeps its groups and its place.
import { GROUPS, MENU_SCROLL } from '../lib/head'

function openMenus(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>('.link-menu[open]')]
}

function library(): string {
  return location.pathname.split('/')[1] ?? ''
}

export function closeMenus(): void {
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    for (const menu of openMenus()) {
      if (link || !(target instanceof Node && menu.contains(target))) menu.open = false
    }
    const drawer = link?.closest<HTMLElement>('[popover]')
    if (drawer?.matches(':popover-open')) drawer.hidePopover()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    for (const menu of openMenus()) {
      menu.open = false
      menu.querySelector('summary')?.focus()
      // One menu a key: the drawer around it stays.
      event.preventDefault()
    }
  })
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    const menu = target instanceof Element ? target.closest<HTMLDetailsElement>('.link-menu[open]') : null
    if (menu && relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false
  })
}

const DRAWER = 'section[popover]'

/** Everything can be reached again. */
export function release(): void {
  document.documentElement.dataset.drawer = 'closed'
  for (const part of document.querySelectorAll('[inert], [aria-modal]')) {
    for (const name of ['inert', 'aria-modal', 'role']) part.removeAttribute(name)
  }
}

/** With a drawer open, nothing behind it scrolls or can be reached. */
function confine(drawer: Element): void {
  document.documentElement.dataset.drawer = 'open'
  drawer.setAttribute('role', 'dialog')
  drawer.setAttribute('aria-modal', 'true')
  for (let inner = drawer; inner.parentElement && inner !== document.body; inner = inner.parentElement) {
    for (const part of inner.parentElement.children) {
      // What is announced has to be heard.
      if (part !== inner && part.localName !== 'output') part.setAttribute('inert', '')
    }
  }
}

export function serveDrawers(): void {
  document.addEventListener('beforetoggle', toggled, true)
  document.addEventListener('toggle', toggled, true)
}

function toggled({ target, newState, type }: ToggleEvent): void {
  if (!(target instanceof Element && target.matches(DRAWER))) return
  if (newState === 'closed') {
    // Before the focus goes back, to a button that must not be inert by then.
    release()
  } else if (type === 'toggle') {
    confine(target)
    target.querySelector<HTMLElement>('a, button')?.focus()
    // A drawer has no place to scroll to before it is open.
    window.__kinfolk.reveal()
  }
}

export function keepMenu(): void {
  const { __kinfolk } = window
  document.addEventListener('click', ({ target }) => {
    const group = target instanceof Element ? target.closest('summary')?.parentElement : null
    if (!(group instanceof HTMLDetailsElement) || !group.dataset.group) return
    const key = GROUPS + library()
    let groups: object = {}
    try {
      groups = Object(JSON.parse(__kinfolk.read(key) ?? '{}'))
    } catch {
      // What cannot be read is written anew.
    }
    __kinfolk.write(key, JSON.stringify({ ...groups, [group.dataset.group]: !group.open }))
  })
  addEventListener('pagehide', () => {
    const menu = document.querySelector('[data-menu]')
    if (!menu?.clientHeight) return
    try {
      sessionStorage.setItem(MENU_SCROLL + library(), `${menu.scrollTop}`)
    } catch {
      return
    }
  })
}
