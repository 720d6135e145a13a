// Renders components for tests: in a router at an address, with the sample shell, on a page that has run the boot script.
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, configure, render as renderElement } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Shell } from '../src/api/generated'
import { ShellContext } from '../src/components/ui/useShell'
import { CONTENT_ID } from '../src/lib/layoutIds'
import { shell as sampleShell } from './samples'

// A component that is loaded when it is needed is compiled at that moment, which takes seconds on a busy machine.
const LOAD_MS = 20_000
configure({ asyncUtilTimeout: LOAD_MS })
vi.setConfig({ testTimeout: 2 * LOAD_MS })

/** What the page's storage holds. */
export const storage = new Map<string, string>()

beforeEach(() => {
  storage.clear()
  history.replaceState(null, '', '/')
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
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

interface Options {
  shell?: Shell
  path?: string
}

/** Resolves when the router has rendered its first page. */
export async function render(element: ReactElement, { shell = sampleShell, path = '/' }: Options = {}) {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <ShellContext value={shell}>{element}</ShellContext> }),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
  await router.load()
  // There before anything is rendered, as on a page that the server wrote: overlays are put into it.
  const content = document.createElement('main')
  content.id = CONTENT_ID
  document.body.replaceChildren(content)
  return renderElement(<RouterProvider router={router} />, { container: content })
}
