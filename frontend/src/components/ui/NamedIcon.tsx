import type { IconShape } from '../../api/generated'

/** An icon that data names. The server sends its shape: a page contains only the icons that it shows. */
export function NamedIcon({ shape: { path, filled } }: { shape: IconShape }) {
  return filled ? (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  ) : (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="icon">
      <path d={path} />
    </svg>
  )
}
