// What only the page needs waits while the search covers it: the reader waits for the files of the search.
import { whenIdle } from './whenIdle'

/** Runs a task when the browser is idle, after the search is closed. */
export function whenUncovered(task: () => void): void {
  whenIdle(() => {
    if (isCovered()) document.addEventListener('close', () => whenUncovered(task), { capture: true, once: true })
    else task()
  })
}

function isCovered(): boolean {
  return window.__kinfolk.pendingSearch !== undefined || document.querySelector('dialog.search-dialog[open]') !== null
}
