import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactElement, ReactNode } from 'react'
import { IconButton } from './Button'
import { AreaStyles } from './AreaStyles'

interface Props {
  /** The button that opens the dialog. */
  trigger?: ReactElement
  title: string
  description?: string
  /** For a dialog that is opened and closed by its parent. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}

/** A modal dialog. It traps the focus and restores it on closing. */
export function Dialog({ trigger, title, description, open, onOpenChange, children }: Props) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <AreaStyles name="interactive" />
      {trigger ? <Base.Trigger render={trigger} /> : null}
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup className="popup dialog">
          <div className="dialog-head">
            <Base.Title className="dialog-title">{title}</Base.Title>
            <Base.Close render={<IconButton icon="close" label="Close" />} />
          </div>
          {description ? <Base.Description className="dialog-description">{description}</Base.Description> : null}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
