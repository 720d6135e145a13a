import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactElement, ReactNode } from 'react'
import { Icon } from './Icon'
import { Styles } from './Styles'

interface Props {
  /** The button that opens it. */
  trigger?: ReactElement
  title: string
  description?: string
  /** For a dialog that something else opens and closes. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}

/** Something that wants an answer before anything else: it holds the focus, and gives it back. */
export function Dialog({ trigger, title, description, open, onOpenChange, children }: Props) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Styles name="parts" />
      {trigger ? <Base.Trigger render={trigger} /> : null}
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup className="popup dialog">
          <div className="dialog-head">
            <Base.Title className="dialog-title">{title}</Base.Title>
            <Base.Close className="icon-button">
              <Icon name="close" />
              <span className="sr-only">Close</span>
            </Base.Close>
          </div>
          {description ? <Base.Description className="dialog-words">{description}</Base.Description> : null}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
