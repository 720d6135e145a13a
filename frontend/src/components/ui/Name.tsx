import type { ReactNode } from 'react'
import { identifierParts } from '../../lib/identifierParts'

/** A name, such as a title. Long identifiers break between their parts. Copied text and screen readers have the whole name. */
export function Name({ text }: { text: string }) {
  const parts = identifierParts(text)
  if (parts.length === 1) return text
  // One element, also in a flex container.
  return <span>{parts.reduce<ReactNode>((before, part) => (before ? joined(before, part) : part), null)}</span>
}

function joined(before: ReactNode, part: string): ReactNode {
  return (
    <>
      {before}
      <wbr />
      {part}
    </>
  )
}
