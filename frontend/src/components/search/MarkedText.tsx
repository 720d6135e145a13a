import type { ComponentType } from 'react'
import type { TextFragment } from '../../api/generated'

interface Props {
  pieces: readonly TextFragment[]
  /** Shows the text of a piece; without it, as it is. */
  Text?: ComponentType<{ text: string }>
}

/** A text with its matches marked. */
export function MarkedText({ pieces, Text = PlainText }: Props) {
  return pieces.map(({ text, found }, at) =>
    // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text have no other key, and never move
    found ? <mark key={at}><Text text={text} /></mark> : <Text key={at} text={text} />,
  )
}

function PlainText({ text }: { text: string }) {
  return text
}
