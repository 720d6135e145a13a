// Makes the router: once for each render on the server, once for each page that React hydrates. It matches routes, loads their
// data and renders them. It never navigates to another page: the boot script and the browser do.
import { createRouter as create } from '@tanstack/react-router'
import type { CallFunction, Envelope } from '../api/call'
import { loader } from '../api/call'
import type { Shell } from '../api/generated'
import { NotFound } from '../components/shell/NotFound'
import { RouteError } from '../components/shell/RouteError'
import type { AreaAssets } from '../components/ui/AreaStyles'
import { addressOfRouted, getBase, routedPath } from '../lib/paths'
import { isStaticPage } from '../lib/staticSite'
import { routeTree } from '../routeTree.gen'
import type { Assets } from '../routes/__root'
import { forgetMatches, readTargetsAsAddresses } from './internals'
import { readLibraryIds } from './libraryIds'

const FRESH_MS = 5 * 60_000

export interface RouterOptions {
  call: CallFunction
  /** The prefetched answer with the shell, if there is one. */
  shell?: Envelope | undefined
  assets?: Assets
  /** Stylesheets and scripts that only some pages load. */
  styles?: AreaAssets
  /** What a component threw: the page then shows the error. */
  crash?: unknown
  /** Whether the page is that of a preview of a pull request. */
  isPreview?: boolean
}

export function createRouter({ call, shell: prefetchedShell, assets, styles = {}, crash, isPreview = false }: RouterOptions) {
  if (readLibraryIds(prefetchedShell)) forgetMatches()
  const load = loader(call)
  let shell: Promise<Shell> | undefined
  const loadShell = () =>
    (shell ??= load('site.shell', null).catch((error: unknown) => {
      // The next call tries again.
      shell = undefined
      throw error
    }))
  const router = create({
    routeTree,
    // On the server, addresses have no base path.
    ...(import.meta.env.SSR ? {} : { basepath: getBase() || '/' }),
    ...(isStaticPage() ? { rewrite: { input: withoutSlash } } : {}),
    // Only there: with a rule for addresses, the router also rewrites queries in its own way.
    ...(isPreview ? { rewrite: { input: withRoutedPath, output: withAddress } } : {}),
    context: { load, loadShell, assets, styles, crash },
    // Links are plain; the app preloads those within a page.
    defaultPreload: false,
    defaultStaleTime: FRESH_MS,
    defaultPreloadStaleTime: FRESH_MS,
    // While the state of a page loads, the page stays in view; a spinner appears when that takes long.
    defaultPendingMs: Infinity,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: RouteError,
  })
  readTargetsAsAddresses(router)
  return router
}

/** A preview of a pull request is a version, which routes know by its name. */
function withRoutedPath({ url }: { url: URL }): URL {
  url.pathname = routedPath(url.pathname)
  return url
}

function withAddress({ url }: { url: URL }): URL {
  url.pathname = addressOfRouted(url.pathname)
  return url
}

/** A page of an export has an address that ends with a slash. */
function withoutSlash({ url }: { url: URL }): URL {
  url.pathname = url.pathname.replace(/(?<=.)\/$/, '')
  return url
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createRouter>
  }
}
