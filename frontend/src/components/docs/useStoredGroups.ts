import { useMemo, useSyncExternalStore } from 'react'
import { GROUPS } from '../../lib/head'

// The reader's hand moves a group before anybody is told: what is kept is read when the menu is drawn the next time.
const subscribe = () => () => undefined

/** Which groups of the library's menu the reader opened or closed; none while the page is as the server made it. */
export function useStoredGroups(library: string): Record<string, boolean> {
  const kept = useSyncExternalStore(
    subscribe,
    () => window.__kinfolk.read(GROUPS + library) ?? '',
    () => '',
  )
  return useMemo(() => {
    try {
      // Written by the starter; whatever else stands there opens or closes nothing.
      return Object(JSON.parse(kept || '{}')) as Record<string, boolean>
    } catch {
      return {}
    }
  }, [kept])
}
