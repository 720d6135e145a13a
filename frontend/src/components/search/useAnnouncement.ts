// What screen readers announce of a search.
import { useEffect, useState } from 'react'
import type { SearchParameters } from '../../lib/search/searchRequests'
import type { SearchState } from './useSearchResults'

/** After the last key: an announcement for each letter would interrupt the one before it. */
const ANNOUNCE_MS = 700

/** The text of the live region. Empty while the reader types. */
export function useAnnouncement(state: SearchState, parameters: SearchParameters): string {
  const [settled, setSettled] = useState<SearchParameters | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(parameters), ANNOUNCE_MS)
    return () => clearTimeout(timer)
  }, [parameters])
  return settled === parameters ? announcement(state) : ''
}

function announcement(state: SearchState): string {
  if (state.kind === 'pending' && state.isSlow) return 'Searching…'
  if (state.kind !== 'answered') return ''
  const { total, others } = state
  return `${total === 1 ? '1 result' : `${total} results`}${others > 0 ? `, ${others} in other libraries` : ''}`
}
