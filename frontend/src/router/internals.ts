// Uses of @tanstack/react-router in the browser that its documentation does not describe. `internals.test.ts` tests that they hold.
import type { AnyRouter } from '@tanstack/react-router'

/** Makes the next router match addresses again that earlier ones have matched: on the server, all routers of a V8 isolate share
 *  the route tree with its matches. */
export function forgetMatches(): void {
  globalThis.__TSR_CACHE__ = undefined
}

/** Tells the router that the document holds the page, so that no part of it is suspended while React hydrates it. */
export function markAsServerRendered(router: AnyRouter): void {
  router.ssr = { manifest: undefined }
}
