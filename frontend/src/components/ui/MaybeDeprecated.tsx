import type { ReactNode } from 'react'

interface Props {
  /** A line that says so and what replaces it; nothing for what is not deprecated. */
  deprecated: string | undefined
  children: ReactNode
}

/** A name, struck if it names something deprecated. */
export function MaybeDeprecated({ deprecated, children }: Props) {
  if (!deprecated) return children
  return (
    <>
      <s title={deprecated}>{children}</s>
      <span className="sr-only"> (deprecated)</span>
    </>
  )
}
