// Drawers: menus that lie over the page. While one is open, the page behind it neither scrolls nor takes the focus.

const DRAWER = 'section[popover]'

export function serveDrawers(): void {
  document.addEventListener('beforetoggle', onToggle, true)
  document.addEventListener('toggle', onToggle, true)
}

/** Makes the page behind a drawer reachable again. */
export function closeDrawers(): void {
  document.documentElement.dataset.drawer = 'closed'
  for (const element of document.querySelectorAll('[inert], [aria-modal]')) {
    for (const name of ['inert', 'aria-modal', 'role']) element.removeAttribute(name)
  }
}

function trapFocus(drawer: Element): void {
  document.documentElement.dataset.drawer = 'open'
  drawer.setAttribute('role', 'dialog')
  drawer.setAttribute('aria-modal', 'true')
  for (let inner = drawer; inner.parentElement && inner !== document.body; inner = inner.parentElement) {
    for (const sibling of inner.parentElement.children) {
      // A live region that is inert is not announced.
      if (sibling !== inner && sibling.localName !== 'output') sibling.setAttribute('inert', '')
    }
  }
}

function onToggle({ target, newState, type }: ToggleEvent): void {
  if (!(target instanceof Element && target.matches(DRAWER))) return
  if (newState === 'closed') {
    // On `beforetoggle`: afterwards the browser moves the focus to a button, which must not be inert.
    closeDrawers()
  } else if (type === 'toggle') {
    trapFocus(target)
    target.querySelector<HTMLElement>('a, button')?.focus()
    // A closed drawer cannot be scrolled.
    window.__kinfolk.scrollMenuToActive()
  }
}
