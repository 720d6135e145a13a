const LATEST_MS = 500

/** When the browser has nothing to do, though not much later: so that it is in nobody's way. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: LATEST_MS })
  else setTimeout(run, 200)
}
