import type { ReactNode } from 'react'

interface Props {
  name: string
  className?: string
  status?: 'stalled'
  /** For what would send a form or be a landmark of the page: it is shown, and cannot be used. */
  isStill?: boolean
  children: ReactNode
}

/** A state of a component in both themes, for `/design`. The second one is for the eyes only: it has the same content. */
export function StatePreview({ name, className, status, isStill = false, children }: Props) {
  return (
    <div className="state-preview">
      <h3>{name}</h3>
      <div className="design-themes">
        <div data-theme-preview="light" className={className} data-status={status} inert={isStill}>
          {children}
        </div>
        <div data-theme-preview="dark" className={className} data-status={status} inert>
          {children}
        </div>
      </div>
    </div>
  )
}
