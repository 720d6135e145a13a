// Renders components for tests: in a router at an address, with the sample shell.
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render as renderElement } from '@testing-library/react'
import type { ReactElement } from 'react'
import type { Shell } from '../src/api/generated'
import { ShellContext } from '../src/components/ui/useShell'
import { CONTENT_ID } from '../src/lib/layoutIds'
import { shell as sampleShell } from './samples'

export { storage } from './emptyPage'

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
