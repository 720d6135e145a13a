import type { CSSProperties } from 'react'

interface Props {
  name: string
  /** A picture of them, which may be missing or forbidden: their initials are there before it, and without it. */
  src?: string | null
  size?: number
}

export function Avatar({ name, src, size = 40 }: Props) {
  // A custom property for the stylesheet, which the type does not know.
  const style = { '--size': `${size}px` } as CSSProperties
  const initials = name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('')
  return (
    <span className="avatar" style={style}>
      <span aria-hidden={src ? true : undefined}>{initials}</span>
      {src ? <img src={src} alt={name} width={size} height={size} loading="lazy" decoding="async" /> : <span className="sr-only">{name}</span>}
    </span>
  )
}
