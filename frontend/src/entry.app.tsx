// Bundle `app`: React hydrates the page. The boot script loads it when the reader interacts with what needs it.
import { RouterProvider } from '@tanstack/react-router'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { Envelope } from './api/call'
import { callOverHttp } from './api/call'
import { readPrefetched, SHELL_KEY, withPrefetched } from './api/shared'
import { sharedUrls } from './api/sharedUrls'
import { readAreaFiles } from './lib/areaFiles'
import { HYDRATED, MARKUP_CHANGED } from './lib/events'
import { ID_PREFIX } from './lib/layoutIds'
import { applyPageRules } from './lib/inlineStyles'
import { currentPath, isPreviewPath, withoutBase } from './lib/paths'
import { isStaticPage } from './lib/staticSite'
import { createRouter } from './router/createRouter'
import { markAsServerRendered } from './router/internals'

const HOVER_MS = 40

type Router = ReturnType<typeof createRouter>

/** A page of an export is rendered without a query. The app applies it after it has hydrated the page. */
function takeQuery(): string {
  const { search, pathname, hash } = location
  if (!isStaticPage() || !search || !document.querySelector('[data-loads-app]')) return ''
  history.replaceState(history.state, '', pathname + hash)
  return search
}

async function start(known: Map<string, Envelope>): Promise<void> {
  const query = takeQuery()
  const shell = known.get(SHELL_KEY)
  const router = createRouter({ call: withPrefetched(known, callOverHttp), shell, styles: readAreaFiles(), isPreview: isPreviewPath(currentPath()) })
  router.subscribe('onRendered', () => document.dispatchEvent(new Event(MARKUP_CHANGED)))
  markAsServerRendered(router)
  await router.load()
  // Later answers come from the server.
  known.clear()
  document.addEventListener(HYDRATED, () => preloadOnHover(router), { once: true })
  if (query) document.addEventListener(HYDRATED, () => void router.navigate({ to: '.', search: router.options.parseSearch(query), replace: true }), { once: true })
  applyPageRules()
  startTransition(() => {
    hydrateRoot(document, <RouterProvider router={router} />, { identifierPrefix: ID_PREFIX })
  })
}

/** Preloads what links within the page show, such as a file of an example. The boot script fetches other pages. */
function preloadOnHover(router: Router): void {
  let timer = 0
  document.addEventListener(
    'pointerover',
    ({ target }) => {
      clearTimeout(timer)
      const link = target instanceof Element ? target.closest('a') : null
      if (!link || link.origin !== location.origin || link.pathname !== location.pathname || link.search === location.search) return
      const { pathname, search } = link
      timer = window.setTimeout(() => {
        router.preloadRoute({ to: withoutBase(pathname), search: router.options.parseSearch(search) }).catch(() => undefined)
      }, HOVER_MS)
    },
    { passive: true },
  )
}

// Not awaited: a module with top-level await makes the bundler split every shared module into a file of its own.
void readPrefetched(sharedUrls()).then(start, () => {
  // The connection failed, or the reader left the page: it stays as the server rendered it.
})
