// What the markup of a page, which React leaves alone, gets in the browser: copy buttons, and tabs that are remembered.
import { FRAMEWORK, REMEMBERED_TABS, TABS } from '../lib/head'

/** Idempotent: the same markup may be decorated again, and markup adopted by React has its buttons already. */
export function decorate(): void {
  if (!navigator.clipboard) return
  for (const figure of document.querySelectorAll('[data-markup] figure.code:not(:has(> .copy))')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    figure.append(button)
  }
}

export function rememberTabs(): void {
  document.addEventListener('change', ({ target }) => {
    const kind = target instanceof HTMLInputElement && target.closest<HTMLElement>('.tabs')?.dataset.tabs
    if (!kind || !`${FRAMEWORK} ${REMEMBERED_TABS}`.split(' ').includes(kind)) return
    // All groups of the kind follow; the one under the hand stays where it is.
    const { top } = target.getBoundingClientRect()
    const tab = target.dataset.tab ?? ''
    if (kind === FRAMEWORK) window.__kinfolk.setFramework(tab)
    else window.__kinfolk.write(TABS + kind, tab)
    window.__kinfolk.settle()
    scrollBy(0, target.getBoundingClientRect().top - top)
  })
}
