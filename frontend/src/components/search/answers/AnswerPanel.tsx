// The answer to a question, in place of results. Texts of the service are shown as text.
import type { MouseEvent, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { SHARE_QUESTIONS } from '../../../lib/search/search'
import { anyUrl, serverPath } from '../../../lib/paths'
import { Button } from '../../ui/Button'
import { AnyLink, Link } from '../../ui/Link'
import { useShell } from '../../ui/useShell'
import type { Answer, AnswerSection, AnswerSentence } from './answer'
import { shownSections } from './answer'
import type { AnswerQuestion } from './useAnswer'
import { useAnswer } from './useAnswer'

interface Props {
  requested: AnswerQuestion
  onBack: () => void
  /** Closes the dialog, unless the link opens another tab. */
  onFollow: (event: MouseEvent) => void
}

export function AnswerPanel({ requested, onBack, onFollow }: Props) {
  const shared = useRef(window.__kinfolk.read(SHARE_QUESTIONS) === 'yes')
  const { answer, stop, retry } = useAnswer(requested, () => shared.current)
  const heading = useRef<HTMLHeadingElement>(null)
  // The row that was pressed is gone.
  useEffect(() => heading.current?.focus(), [])
  const isWriting = answer.status === 'writing'
  return (
    <section className="answer-panel" aria-labelledby="Site-answer-title" aria-busy={isWriting}>
      <h2 id="Site-answer-title" ref={heading} tabIndex={-1}>
        {requested.question}
      </h2>
      <AnswerText answer={answer} onFollow={onFollow} />
      <div className="answer-actions">
        {isWriting ? <Button onClick={stop}>Stop</Button> : null}
        {answer.status === 'failed' || answer.status === 'stopped' ? <Button onClick={retry}>Try again</Button> : null}
        <Button onClick={onBack}>Back to results</Button>
      </div>
      <Sources sections={isWriting ? [] : shownSections(answer)} isAnswered={answer.sentences.length > 0} onFollow={onFollow} />
      <AnswerNote
        onShare={(isShared) => {
          shared.current = isShared
        }}
      />
    </section>
  )
}

interface AnswerTextProps {
  answer: Answer
  onFollow: (event: MouseEvent) => void
}

/** Each sentence is announced once, when it is complete. */
function AnswerText({ answer, onFollow }: AnswerTextProps) {
  return (
    <div className="answer-text" role="log" aria-live="polite" aria-label="Answer">
      <p>
        {answer.sentences.map((sentence, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- sentences are only added at the end
          <span key={at}>
            {at > 0 ? ' ' : null}
            <Sentence sentence={sentence} sections={answer.sections} onFollow={onFollow} />
          </span>
        ))}
      </p>
      <AnswerStatus answer={answer} />
    </div>
  )
}

function AnswerStatus({ answer }: { answer: Answer }) {
  switch (answer.status) {
    case 'writing':
      return answer.sentences.length === 0 ? <p className="answer-waiting">Reading the docs…</p> : null
    case 'notInDocs':
      return <p>The docs do not say. {answer.sections.length > 0 ? 'These sections are the closest:' : 'Try other words in the search.'}</p>
    case 'stopped':
      return <p className="answer-waiting">Stopped.</p>
    case 'failed':
      return <p>{answer.message}</p>
    default:
      return null
  }
}

interface SentenceProps {
  sentence: AnswerSentence
  sections: readonly AnswerSection[]
  onFollow: (event: MouseEvent) => void
}

function Sentence({ sentence: { text, sources }, sections, onFollow }: SentenceProps) {
  const named = sections.filter(({ number }) => sources.includes(number))
  return (
    <>
      {withCode(text)}
      {named.map((section) => (
        <Link key={section.number} to={serverPath(section.to)} className="answer-mark" aria-label={`Source ${section.number}: ${section.title}`} onClick={onFollow}>
          {section.number}
        </Link>
      ))}
    </>
  )
}

/** Text between backticks as code. */
function withCode(text: string): ReactNode {
  const parts = text.split('`')
  // An odd number of backticks encloses nothing.
  if (parts.length % 2 === 0) return text
  // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other key, and never move
  return parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
}

interface SourcesProps {
  sections: readonly AnswerSection[]
  isAnswered: boolean
  onFollow: (event: MouseEvent) => void
}

function Sources({ sections, isAnswered, onFollow }: SourcesProps) {
  if (sections.length === 0) return null
  return (
    <div className="answer-sources">
      <h3 id="Site-answer-sources">{isAnswered ? 'Sources' : 'Sections'}</h3>
      <ol aria-labelledby="Site-answer-sources">
        {sections.map(({ number, title, trail, to }) => (
          <li key={number}>
            <Link to={serverPath(to)} className="answer-source" onClick={onFollow}>
              <span>{number}</span>
              <span>
                {title} {trail.length > 0 ? <small>› {trail.join(' › ')}</small> : null}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </div>
  )
}

function AnswerNote({ onShare }: { onShare: (isShared: boolean) => void }) {
  const { links } = useShell()
  const [isShared, setShared] = useState(() => window.__kinfolk.read(SHARE_QUESTIONS) === 'yes')
  const share = (next: boolean) => {
    window.__kinfolk.write(SHARE_QUESTIONS, next ? 'yes' : 'no')
    setShared(next)
    onShare(next)
  }
  return (
    <div className="answer-note">
      <p>
        Written by an AI service from the numbered sections. It can be wrong: open the sources.
        {links.privacy ? (
          <>
            {' '}
            <AnyLink to={anyUrl(links.privacy)} className="text-button">
              Privacy
            </AnyLink>
          </>
        ) : null}
      </p>
      <label>
        <input type="checkbox" checked={isShared} onChange={(event) => share(event.target.checked)} />
        Show the maintainers the questions that I ask from now on, without anything about me
      </label>
    </div>
  )
}
