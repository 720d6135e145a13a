// Menus of links: closed by a click elsewhere, by Escape and by following a link.

function openMenus(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>('.link-menu[open]')]
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
      // One menu per key press: the drawer around it stays open.
      event.preventDefault()
    }
  })
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    const menu = target instanceof Element ? target.closest<HTMLDetailsElement>('.link-menu[open]') : null
    if (menu && relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false
  })
}
