import { useState } from 'react'
import type { SavedPage } from '../../lib/search/search'
import { parseSavedPages } from '../../lib/search/search'

/** A list of pages in the browser's storage, and a function that changes it. */
export function useSavedPages(key: string): [SavedPage[], (change: (list: SavedPage[]) => SavedPage[]) => void] {
  const [list, setList] = useState(() => parseSavedPages(window.__kinfolk.read(key)))
  const change = (make: (list: SavedPage[]) => SavedPage[]) => {
    // Read again: another tab may have changed it.
    const next = make(parseSavedPages(window.__kinfolk.read(key)))
    window.__kinfolk.write(key, JSON.stringify(next))
    setList(next)
  }
  return [list, change]
}
