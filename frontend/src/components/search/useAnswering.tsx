// Asks the query as a question, on a site that answers questions.
import type { MouseEvent } from 'react'
import { Suspense, useState } from 'react'
import { isQuestion } from '../../lib/search/search'
import type { SearchParameters } from '../../lib/search/searchRequests'
import { useShell } from '../ui/useShell'
import type { AnswerQuestion } from './answers/useAnswer'
import { AnswerPanel, AskRow } from './lazyAnswers'
import { SearchSkeleton } from './SearchSkeleton'

interface Results {
  /** Whether they are those of the query. */
  isAnswered: boolean
  hitCount: number
}

interface Answering {
  /** Null while results are shown. */
  requested: AnswerQuestion | null
  canAsk: boolean
  /** Rows that the arrow keys reach. */
  rowCount: number
  begin: () => void
  stop: () => void
}

/** Another query closes the answer. */
export function useAnswering({ query, library, framework, version }: SearchParameters, { isAnswered, hitCount }: Results): Answering {
  const { features } = useShell()
  // With the filters of that time: a change of them asks nothing.
  const [requested, setRequested] = useState<AnswerQuestion | null>(null)
  if (requested !== null && requested.question !== query.trim()) setRequested(null)
  const canAsk = features.answers && (isAnswered || hitCount > 0) && isQuestion(query)
  return {
    requested,
    canAsk,
    rowCount: requested ? 0 : hitCount + (canAsk ? 1 : 0),
    begin: () => setRequested({ question: query.trim(), library: only(library), framework: only(framework), version }),
    stop: () => setRequested(null),
  }
}

/** The only value; of several, the answer may be about any. */
function only([first = '', ...others]: readonly string[]): string {
  return others.length > 0 ? '' : first
}

export interface OpenAnswerProps {
  answering: Answering
  onBack: () => void
  onFollow: (event: MouseEvent) => void
}

/** The answer in place of the results. */
export function OpenAnswer({ answering: { requested, stop }, onBack, onFollow }: OpenAnswerProps) {
  const back = () => {
    stop()
    onBack()
  }
  return requested ? (
    <Suspense fallback={<SearchSkeleton />}>
      <AnswerPanel requested={requested} onBack={back} onFollow={onFollow} />
    </Suspense>
  ) : null
}

interface AskOptionProps {
  answering: Answering
  query: string
  id: string
  selected: boolean
}

export function AskOption({ answering: { canAsk, begin }, query, id, selected }: AskOptionProps) {
  if (!canAsk) return null
  return (
    <Suspense>
      <AskRow id={id} query={query.trim()} selected={selected} onAsk={begin} />
    </Suspense>
  )
}
