// Uses of @tanstack/react-router in the browser that its documentation does not describe. `internals.test.ts` tests that they hold.
import type { AnyRouter } from '@tanstack/react-router'

/** Makes the next router match addresses again that earlier ones have matched: on the server, all routers of a V8 isolate share
 *  the route tree with its matches. */
export function forgetMatches(): void {
  globalThis.__TSR_CACHE__ = undefined
}

/** Makes the router read an absolute target as an address, in which `$` is a character: `paths` makes all of them. The router takes it
 *  for a route template, whose `$name` is a parameter, also when it compares the address of a request with its canonical form. */
export function readTargetsAsAddresses(router: AnyRouter): void {
  const build = router.buildLocation
  router.buildLocation = (options) => {
    const target = 'href' in options && typeof options.href === 'string' ? options.href : options.to
    const isAddress = typeof target === 'string' && target.startsWith('/') && target.includes('$')
    return build(isAddress ? { ...options, leaveParams: true } : options)
  }
}

/** Tells the router that the document holds the page, so that no part of it is suspended while React hydrates it. */
export function markAsServerRendered(router: AnyRouter): void {
  router.ssr = { manifest: undefined }
}
