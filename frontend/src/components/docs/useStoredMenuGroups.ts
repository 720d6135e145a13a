import { useMemo, useSyncExternalStore } from 'react'
import { MENU_GROUPS } from '../../lib/storageKeys'

// `<details>` toggles natively; storage is read on the next render.
const subscribe = () => () => undefined

/** The groups of the library's menu that the reader opened or closed; empty during hydration. */
export function useStoredMenuGroups(library: string): Record<string, boolean> {
  const stored = useSyncExternalStore(
    subscribe,
    () => window.__kinfolk.read(MENU_GROUPS + library) ?? '',
    () => '',
  )
  return useMemo(() => {
    try {
      // Written by the boot script. Any other value opens and closes nothing.
      return Object(JSON.parse(stored || '{}')) as Record<string, boolean>
    } catch {
      return {}
    }
  }, [stored])
}
