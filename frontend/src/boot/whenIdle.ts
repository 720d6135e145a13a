const TIMEOUT_MS = 500

/** Runs a task when the browser is idle, at the latest after TIMEOUT_MS. */
export function whenIdle(task: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(task, { timeout: TIMEOUT_MS })
  else setTimeout(task, 200)
}
