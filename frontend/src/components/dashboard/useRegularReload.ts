import { useEffect } from 'react'

const RELOAD_MS = 5000

/** Calls `reload` every five seconds while the page is visible. */
export function useRegularReload(reload: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload()
    }, RELOAD_MS)
    return () => clearInterval(timer)
  }, [reload])
}
