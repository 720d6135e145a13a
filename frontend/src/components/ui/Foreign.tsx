import type { HTMLAttributes } from 'react'

const NOTHING = { __html: '' }

/** A place for words of the starter's, which may be there before React is. */
export function Foreign(attributes: HTMLAttributes<HTMLSpanElement>) {
  return <span {...attributes} dangerouslySetInnerHTML={NOTHING} suppressHydrationWarning />
}
