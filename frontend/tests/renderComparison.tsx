// Renders parts of the comparison page around a comparison that is kept in memory, as the page keeps it in the URL.
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Load } from '../src/api/call'
import type { ComparisonChart, Functions } from '../src/api/generated'
import { ComparisonContext } from '../src/components/statistics/ComparisonContext'
import { useComparisonState } from '../src/components/statistics/useComparisonState'
import type { ComparisonSearch, SearchRecord } from '../src/lib/statistics/comparison'
import { dataKey } from '../src/lib/statistics/comparison'
import { chart as sampleChart, choices } from './comparisonSamples'
import { render } from './render'

interface Options {
  chart?: ComparisonChart
  /** Answers of functions by name. Others fail. */
  answers?: Partial<{ [Id in keyof Functions]: (input: Functions[Id]['input']) => Promise<Functions[Id]['output']> }>
}

export interface Visited {
  /** Searches that were written into the URL, each with how. */
  searches: [ComparisonSearch, 'push' | 'replace'][]
  refreshes: number
}

export async function renderComparison(element: ReactNode, { chart = sampleChart, answers = {} }: Options = {}): Promise<Visited> {
  const visited: Visited = { searches: [], refreshes: 0 }
  const load: Load = async (id, input) => {
    const answer = answers[id]
    if (!answer) throw new Error(`No answer for ${id}`)
    return answer(input)
  }
  const refresh = () => {
    visited.refreshes++
  }
  function Page() {
    const [search, setSearch] = useState<SearchRecord>({})
    const state = useComparisonState({
      chart,
      loadedKey: dataKey({}),
      search,
      navigate: (next, how) => {
        visited.searches.push([next, how ?? 'push'])
        setSearch(next)
      },
    })
    return <ComparisonContext value={{ ...state, choices, load, refresh }}>{element}</ComparisonContext>
  }
  await render(<Page />)
  return visited
}
