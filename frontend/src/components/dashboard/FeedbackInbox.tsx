import { useState } from 'react'
import type { Load } from '../../api/call'
import type { FeedbackItem, FeedbackQueue, FeedbackRequest, FeedbackStatus, PageVotes } from '../../api/generated'
import { formatDate, formatNumber } from '../../lib/format'
import { serverPath } from '../../lib/paths'
import { Badge } from '../ui/Badge'
import { Button, ExternalLinkButton } from '../ui/Button'
import { Link } from '../ui/Link'
import { useToast } from '../ui/Toast'
import type { Column } from './DataTable'
import { DataTable } from './DataTable'
import { EmptySection } from './EmptySection'
import { LoadedSection } from './LoadedSection'
import { useLoaded } from './useLoaded'

type View = FeedbackRequest['view']

const VIEWS: { view: View; label: string; empty: string }[] = [
  { view: 'open', label: 'Open', empty: 'No open answers about the current text.' },
  { view: 'outdated', label: 'Text changed since', empty: 'No open answers are about text that has changed since.' },
  { view: 'done', label: 'Done', empty: 'No answers are marked as done.' },
  { view: 'spam', label: 'Spam', empty: 'No answers are marked as spam.' },
]

const VOTES: Column<PageVotes>[] = [
  {
    name: 'Page',
    cell: ({ library, version, path, title }) => <Link to={serverPath(`/${library}/${version}/docs/${path}`)}>{title}</Link>,
  },
  { name: 'Library', cell: ({ library, version }) => `${library} ${version}` },
  { name: 'No', numeric: true, cell: ({ no }) => formatNumber(no) },
  { name: 'Yes', numeric: true, cell: ({ yes }) => formatNumber(yes) },
  { name: 'Notes', numeric: true, cell: ({ notes }) => formatNumber(notes) },
]

/** What readers say about pages. */
export function FeedbackInbox({ load }: { load: Load }) {
  const [view, setView] = useState<View>('open')
  const { state, reload } = useLoaded(load, 'feedback.queue', { view })
  const toast = useToast()
  const move = (item: FeedbackItem, status: FeedbackStatus) =>
    load('feedback.move', { ids: [item.id], status }).then(reload, () => toast('The answer could not be moved', 'Try again.'))
  return (
    <>
      <fieldset aria-label="Answers" className="actions feedback-views">
        {VIEWS.map(({ view: each, label }) => (
          <Button key={each} size="small" aria-pressed={view === each} onClick={() => setView(each)}>
            {label}
          </Button>
        ))}
      </fieldset>
      <LoadedSection state={state} reload={reload}>
        {(queue) => <Answers queue={queue} view={view} move={move} />}
      </LoadedSection>
    </>
  )
}

interface AnswersProps {
  queue: FeedbackQueue
  view: View
  move: (item: FeedbackItem, status: FeedbackStatus) => Promise<void>
}

function Answers({ queue: { items, votes }, view, move }: AnswersProps) {
  const { label, empty } = VIEWS.find((each) => each.view === view) ?? { label: '', empty: '' }
  if (items.length === 0) {
    const hasAnswers = votes.length > 0 || view !== 'open'
    return (
      <>
        <EmptySection title={label} text={hasAnswers ? empty : 'No reader has answered yet whether a page was helpful.'} />
        {votes.length > 0 ? <Votes votes={votes} /> : null}
      </>
    )
  }
  return (
    <>
      <section className="dashboard-section">
        <h2>
          {label}
          <span className="dashboard-count">{items.length}</span>
        </h2>
        <ul className="saved-list">
          {items.map((item) => (
            <Answer key={item.id} item={item} move={(status) => void move(item, status)} />
          ))}
        </ul>
      </section>
      <Votes votes={votes} />
    </>
  )
}

function Votes({ votes }: { votes: readonly PageVotes[] }) {
  return (
    <DataTable
      caption="Votes by page"
      rows={votes}
      columns={VOTES}
      rowKey={({ library, version, path }) => `${library} ${version} ${path}`}
      empty="No page has votes that are not spam."
    />
  )
}

function Answer({ item, move }: { item: FeedbackItem; move: (status: FeedbackStatus) => void }) {
  return (
    <li className="saved-row">
      <div className="saved-main">
        <Link to={serverPath(item.page)}>{item.heading ? `${item.title}: ${item.heading}` : item.title}</Link>
        {item.note ? <p className="saved-note">{item.note}</p> : null}
        <p className="saved-about">
          {item.helpful === null ? null : item.helpful ? <Badge tone="beta">helpful</Badge> : <Badge tone="alpha">not helpful</Badge>}
          {item.textChanged ? <Badge>text changed since</Badge> : null}
          {formatDate(item.at)}
        </p>
        <details>
          <summary>The text at that time</summary>
          <blockquote className="saved-quote">{item.quote}</blockquote>
        </details>
      </div>
      <div className="saved-actions">
        {item.issue ? (
          <ExternalLinkButton size="small" href={item.issue} target="_blank">
            Open an issue
          </ExternalLinkButton>
        ) : null}
        <Button size="small" onClick={() => move('done')}>
          Done
        </Button>
        <Button size="small" onClick={() => move('spam')}>
          Spam
        </Button>
      </div>
    </li>
  )
}
