import type { ReactNode } from 'react'

interface Props {
  /** What it says of a library, which is then coloured in its hue: new, beta, alpha. */
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
