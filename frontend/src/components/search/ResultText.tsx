// What a result shows of its section.
import type { AnswerFragments, TextFragment } from '../../api/generated'
import { MarkedText } from './MarkedText'

interface Props {
  /** The text around the match. */
  text: readonly TextFragment[]
  /** The sentences and the code that answer the query, in place of the text: the result need not be opened. */
  answer?: AnswerFragments | null | undefined
}

/** Phrasing content: the row is a link. */
export function ResultText({ text, answer }: Props) {
  if (!answer) {
    return (
      <span className="search-result-snippet">
        <MarkedText pieces={text} />
      </span>
    )
  }
  return (
    <>
      {answer.text.length > 0 ? (
        <span className="search-result-answer">
          <MarkedText pieces={answer.text} />
        </span>
      ) : null}
      {answer.code.length > 0 ? (
        <code className="search-result-code">
          <MarkedText pieces={answer.code} />
        </code>
      ) : null}
    </>
  )
}
