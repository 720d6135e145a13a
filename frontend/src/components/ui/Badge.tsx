import type { ReactNode } from 'react'

interface Props {
  /** The badge of a library, shown in the color of the library: new, beta, alpha. */
  tone?: string
  children: ReactNode
}

export function Badge({ tone, children }: Props) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  )
}
