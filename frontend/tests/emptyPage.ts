// The page of tests with a document: empty, at the root of the site, after the boot script has run.
import { cleanup, configure } from '@testing-library/react'
import { vi } from 'vitest'

// A component that is loaded when it is needed is compiled at that moment, which takes seconds on a busy machine.
const LOAD_MS = 20_000

/** What the page's storage holds. */
export const storage = new Map<string, string>()

export function openPage(): void {
  configure({ asyncUtilTimeout: LOAD_MS })
  vi.setConfig({ testTimeout: 2 * LOAD_MS })
  window.__kinfolk = {
    hydrated: true,
    base: '',
    mode: 'auto',
    read: (key) => storage.get(key),
    write: (key, value) => void storage.set(key, value),
    setMode: () => undefined,
    setFramework: () => undefined,
    showFramework: () => undefined,
    applyFramework: () => undefined,
    applyPreferences: () => undefined,
    findHashTarget: () => null,
    openHashTarget: () => null,
    scrollMenuToActive: () => undefined,
    releaseInput: () => undefined,
  }
}

export function clearPage(): void {
  cleanup()
  storage.clear()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  for (const element of [document.documentElement, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  }
  document.head.replaceChildren()
  document.body.replaceChildren()
}
