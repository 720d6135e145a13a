import { useState } from 'react'
import type { Kept } from '../../lib/search'
import { kept } from '../../lib/search'

/** A list of pages that the reader's own browser keeps, and how to change it. */
export function useKept(key: string): [Kept[], (change: (list: Kept[]) => Kept[]) => void] {
  const [list, setList] = useState(() => kept(window.__kinfolk.read(key)))
  const change = (make: (list: Kept[]) => Kept[]) => {
    // Another tab may have changed it meanwhile.
    const next = make(kept(window.__kinfolk.read(key)))
    window.__kinfolk.write(key, JSON.stringify(next))
    setList(next)
  }
  return [list, change]
}
