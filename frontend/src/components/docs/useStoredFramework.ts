import { useSyncExternalStore } from 'react'
import { FRAMEWORK_CHANGED } from '../../lib/events'

function subscribe(listener: () => void): () => void {
  document.addEventListener(FRAMEWORK_CHANGED, listener)
  return () => document.removeEventListener(FRAMEWORK_CHANGED, listener)
}

/** The framework that the reader sees: that of the page, else the chosen one; undefined during hydration. */
export function useStoredFramework(): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => document.documentElement.dataset.framework,
    () => undefined,
  )
}
