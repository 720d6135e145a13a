import type { Load } from '../../api/call'
import type { QuestionItem } from '../../api/generated'
import { formatNumber } from '../../lib/format'
import type { Column } from './DataTable'
import { DataTable } from './DataTable'
import { LoadedSection } from './LoadedSection'
import { useLoaded } from './useLoaded'

const OUTCOMES: Record<string, string> = {
  answered: 'answered',
  not_in_docs: 'not in the docs',
  failed: 'failed',
  stopped: 'stopped by the reader',
}

const COLUMNS: Column<QuestionItem>[] = [
  { name: 'Day', cell: ({ day }) => day },
  { name: 'Question', cell: ({ text }) => text },
  { name: 'Answer', cell: ({ outcome }) => OUTCOMES[outcome] ?? outcome },
  { name: 'Sentences', numeric: true, cell: ({ sentences }) => formatNumber(sentences) },
  { name: 'Hidden', numeric: true, cell: ({ hidden }) => formatNumber(hidden) },
]

/** Questions that readers show to the maintainers, and what is left of the day's budget. */
export function SharedQuestions({ load }: { load: Load }) {
  const { state, reload } = useLoaded(load, 'maintenance.questions', null)
  return (
    <LoadedSection state={state} reload={reload}>
      {({ questions, usedQuestions, maxQuestions, usedCharacters, maxCharacters }) => (
        <>
          <DataTable
            caption="Questions"
            rows={questions.map((item, at) => ({ ...item, key: `${at}` }))}
            columns={COLUMNS}
            rowKey={({ key }) => key}
            empty="No reader has shown you a question in the last 30 days."
          />
          <p className="fine-print">
            Today: {used(usedQuestions, maxQuestions)} questions, {used(usedCharacters, maxCharacters)} characters. Hidden sentences named no
            section that says them.
          </p>
        </>
      )}
    </LoadedSection>
  )
}

function used(count: number, most: number): string {
  return most > 0 ? `${formatNumber(count)} of ${formatNumber(most)}` : formatNumber(count)
}
