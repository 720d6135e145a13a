import { createContext, useContext } from 'react'
import type { Load } from '../../api/call'
import type { Comparison, ComparisonChart, ComparisonChoices } from '../../api/generated'

export type Change = (comparison: Comparison) => Comparison

export interface ComparisonPageState {
  /** What the reader has chosen. The chart may still be that of the previous choice. */
  comparison: Comparison
  /** In the chosen colors and facets. */
  chart: ComparisonChart
  choices: ComparisonChoices
  /** Puts the changed comparison into the URL, in a new entry of the history unless it replaces the current one. */
  change: (change: Change, how?: 'replace') => void
  /** Loads the chart again. */
  refresh: () => void
  load: Load
}

export const ComparisonContext = createContext<ComparisonPageState | null>(null)

export function useComparisonPage(): ComparisonPageState {
  const state = useContext(ComparisonContext)
  if (!state) throw new Error('This component is rendered outside of ComparisonContext')
  return state
}
