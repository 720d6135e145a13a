import type { CSSProperties } from 'react'
import { withBase } from '../../lib/paths'

interface Props {
  name: string
  /** The photo. The initials are visible until it loads, and if it does not. */
  src?: string | null
  size?: number
}

export function Avatar({ name, src, size = 40 }: Props) {
  // `CSSProperties` has no custom properties.
  const style = { '--size': `${size}px` } as CSSProperties
  const initials = name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('')
  return (
    <span className="avatar" style={style}>
      <span aria-hidden={src ? true : undefined}>{initials}</span>
      {src ? <img src={withBase(src)} alt={name} width={size} height={size} loading="lazy" decoding="async" /> : <span className="sr-only">{name}</span>}
    </span>
  )
}
