// Tabs in content: all groups of a kind follow a choice, on this page and on others.
import { chooseFramework } from './chooseFramework'
import { CHOSEN_TAB, FRAMEWORK_TABS, REMEMBERED_TABS } from '../lib/storageKeys'

export function rememberTabs(): void {
  document.addEventListener('change', ({ target }) => {
    const kind = target instanceof HTMLInputElement && target.closest<HTMLElement>('.tabs')?.dataset.tabs
    if (!kind || !`${FRAMEWORK_TABS} ${REMEMBERED_TABS}`.split(' ').includes(kind)) return
    // Groups above may change their height: the one that was clicked keeps its place in the window.
    const { top } = target.getBoundingClientRect()
    const tab = target.dataset.tab ?? ''
    if (kind === FRAMEWORK_TABS) chooseFramework(tab)
    else window.__kinfolk.write(CHOSEN_TAB + kind, tab)
    // Groups in which a hash selected a tab follow the reader again.
    for (const group of document.querySelectorAll<HTMLElement>('[data-revealed]')) delete group.dataset.revealed
    window.__kinfolk.applyPreferences()
    scrollBy(0, target.getBoundingClientRect().top - top)
  })
}
