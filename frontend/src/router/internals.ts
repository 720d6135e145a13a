// Uses of the router in the browser that its documentation does not describe. `internals.test.ts` tests that they hold.
import type { AnyRouter } from '@tanstack/react-router'

/** Tells the router that the document holds the page, so that no part of it is suspended while React hydrates it. */
export function markAsServerRendered(router: AnyRouter): void {
  router.ssr = { manifest: undefined }
}
