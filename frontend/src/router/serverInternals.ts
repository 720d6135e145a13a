// Uses of @tanstack/react-router on the server that its documentation does not describe. `internals.test.ts` tests that they hold.
import type { AnyRouter } from '@tanstack/react-router'
import { createMemoryHistory } from '@tanstack/react-router'
import { getNormalizedURL, getSsrStatus, RouterServer } from '@tanstack/react-router/ssr/server'

export { RouterServer }

export type LoadResult = { type: 'redirect'; status: number; location: string } | { type: 'page'; status: number }

/** The router requires an origin. The URLs of pages have none. */
const ORIGIN = 'http://localhost'

/**
 * Runs the loaders of the URL's routes. This is the router's own request handler without its serialization: a page carries
 * its answers as JSON (decisions/0012).
 */
export async function loadOnServer(router: AnyRouter, url: string): Promise<LoadResult> {
  const { url: normalized } = getNormalizedURL(`${ORIGIN}${url}`, ORIGIN)
  const history = createMemoryHistory({ initialEntries: [normalized.href.slice(ORIGIN.length)] })
  router.update({ ...router.options, history, origin: ORIGIN })
  await router.load({ _skipLocationUpdate: true })
  const result = router._serverResult
  if (result?.type !== 'redirect') return { type: 'page', status: getSsrStatus(router) }
  const { status, headers } = result.redirect
  return { type: 'redirect', status, location: headers.get('Location') ?? '/' }
}
