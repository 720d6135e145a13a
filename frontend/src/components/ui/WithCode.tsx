import { Fragment } from 'react'

/** A sentence, with the parts between backticks as code. */
export function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index, parts) =>
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one text
    index % 2 === 1 && index < parts.length - 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
  )
}
