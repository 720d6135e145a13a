// The app: takes over the page the server made. Loaded by the starter when the reader first does something.
import { RouterProvider } from '@tanstack/react-router'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { Envelope } from './api/call'
import { fetchAnswer } from './api/call'
import { answering, readAnswers } from './api/shared'
import { HYDRATED, MARKUP_CHANGED } from './lib/events'
import { FRAMEWORK_AT } from './lib/head'
import { preloadNear } from './lib/near'
import { createRouter } from './router'

const { shared: files = '', styles = '{}' } = document.querySelector<HTMLElement>('script[data-app]')?.dataset ?? {}

/** The reader's address of a link of ours, without the origin. */
function local(href: string): string {
  return href.slice(location.origin.length)
}

async function start(known: Map<string, Envelope>): Promise<void> {
  let navigated = false
  const router = createRouter({ ask: answering(known, fetchAnswer), styles: JSON.parse(styles), moved: () => navigated })
  const preload = (href: string) => {
    const { pathname, search } = new URL(href)
    router.preloadRoute({ to: pathname, search: router.options.parseSearch(search) }).catch(() => undefined)
  }
  const watchNear = preloadNear(preload)

  router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation }) => {
    navigated ||= fromLocation !== undefined && fromLocation.href !== toLocation.href
  })
  router.subscribe('onBeforeRouteMount', ({ toLocation }) => {
    const framework = toLocation.pathname.match(FRAMEWORK_AT)?.[1]
    if (framework) window.__kinfolk.setFramework(framework)
  })
  router.subscribe('onRendered', ({ pathChanged }) => {
    document.dispatchEvent(new Event(MARKUP_CHANGED))
    watchNear()
    // As after a whole page: the next Tab begins at the content, and a screen reader says where it is.
    // Just before it is painted: to give the focus, the browser has to measure the page.
    if (navigated && pathChanged) requestAnimationFrame(() => document.getElementById('content')?.focus({ preventScroll: true }))
    // The router remembers the position of a page it has seen scroll; this one may have been scrolled before it came.
    if (!navigated) document.dispatchEvent(new Event('scroll'))
  })

  // The page again, from what the server made it of. It was drawn there, so nothing in it waits.
  router.ssr = { manifest: undefined }
  await router.load()
  known.clear()
  // Until React has taken over the page, another one would not be what it finds in the document, and it would make all of
  // that anew: without the theme and whatever else is noted there.
  const hydrated = new Promise((done) => document.addEventListener(HYDRATED, done, { once: true }))
  startTransition(() => {
    hydrateRoot(document, <RouterProvider router={router} />)
  })
  window.__kinfolk.app = {
    navigate: (href) => void hydrated.then(() => router.navigate({ href: local(href) })),
    preload,
    retry: () => void hydrated.then(() => router.invalidate()),
  }

  // The link under the pointer was reached before there was anybody to preload it.
  const hovered = document.querySelector<HTMLAnchorElement>('a[href^="/"]:hover')
  if (hovered) preload(hovered.href)
}

// Not awaited here: with a module that waits, the bundler gives every module that is shared a file of its own.
window.__kinfolk.started = readAnswers(files.split(' ').filter(Boolean)).then(start)
