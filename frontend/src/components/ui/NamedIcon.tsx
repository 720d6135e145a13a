import type { CSSProperties } from 'react'
import type { IconShape } from '../../api/generated'

interface Props {
  shape: IconShape
  /** Styled by its place, which fills brand icons, instead of being as large as text. */
  placed?: boolean
  style?: CSSProperties | undefined
}

/** An icon that data names. The server sends its shape: a page contains only the icons that it shows. */
export function NamedIcon({ shape: { path, filled }, placed = false, style }: Props) {
  const isText = !filled || !placed
  const fill = filled ? 'currentColor' : 'none'
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={isText ? 'icon' : undefined} style={style}>
      <path d={path} fill={filled === placed ? undefined : fill} stroke={filled && !placed ? 'none' : undefined} />
    </svg>
  )
}
