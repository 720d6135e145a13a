// The router, made once per page view in the browser and once per render on the server.
import { createRouter as create } from '@tanstack/react-router'
import type { Ask } from './api/call'
import { loader } from './api/call'
import type { Shell } from './api/generated'
import { NotFound } from './components/shell/NotFound'
import { RouteError } from './components/shell/RouteError'
import type { Stylesheets } from './components/ui/Styles'
import { routeTree } from './routeTree.gen'
import type { Assets } from './routes/__root'

const FRESH_MS = 5 * 60_000

export interface RouterOptions {
  ask: Ask
  assets?: Assets
  /** Stylesheets that only some pages load. */
  styles?: Stylesheets
  /** What a component broke with: the page then says so instead. */
  crash?: unknown
  /** Whether the reader has gone on from the page that was there when the app started. */
  moved?: () => boolean
}

export function createRouter({ ask, assets, styles = {}, crash, moved = () => false }: RouterOptions) {
  const load = loader(ask)
  let shell: Promise<Shell> | undefined
  const family = () =>
    (shell ??= load('site.shell', null).catch((error: unknown) => {
      // A failure is not remembered.
      shell = undefined
      throw error
    }))
  return create({
    routeTree,
    context: { load, family, assets, styles, crash, moved },
    // Links are plain; the starter tells the app which ones to preload.
    defaultPreload: false,
    defaultStaleTime: FRESH_MS,
    defaultPreloadStaleTime: FRESH_MS,
    // A navigation keeps the page it leaves in view; the spinner says that it takes long.
    defaultPendingMs: Infinity,
    // The place in the page that was already there is the browser's matter.
    scrollRestoration: moved,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: RouteError,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createRouter>
  }
}
