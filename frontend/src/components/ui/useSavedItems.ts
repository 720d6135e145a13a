import { useCallback, useSyncExternalStore } from 'react'
import type { ItemKind } from '../../api/generated'
import { SAVED_CHANGED } from '../../lib/events'
import type { Saved } from '../../lib/accounts/savedItems'
import { savedItems } from '../../lib/accounts/savedItems'
import { SAVED_ITEMS } from '../../lib/storageKeys'

function subscribe(changed: () => void): () => void {
  document.addEventListener(SAVED_CHANGED, changed)
  // Another tab changed them.
  addEventListener('storage', changed)
  return () => {
    document.removeEventListener(SAVED_CHANGED, changed)
    removeEventListener('storage', changed)
  }
}

/** The saved items of a kind, the newest first; undefined on the server and before hydration. */
export function useSavedItems<Kind extends ItemKind>(kind: Kind): Saved<Kind>[] | undefined {
  // The stored text tells whether anything has changed; parsing makes new objects each time.
  const read = useCallback(() => window.__kinfolk.read(SAVED_ITEMS + kind) ?? '', [kind])
  const stored = useSyncExternalStore(subscribe, read, () => undefined)
  return stored === undefined ? undefined : savedItems(kind)
}
