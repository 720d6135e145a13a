import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { content } from '../../lib/content'
import { Styles } from './Styles'

export interface MenuAction {
  label: string
  /** What is done, or where it leads. */
  act: (() => void) | string
  disabled?: boolean
}

interface Props {
  trigger: ReactElement
  actions: readonly MenuAction[]
}

/** What can be done with a thing. A choice among pages is a LinkMenu, which needs no script. */
export function Menu({ trigger, actions }: Props) {
  return (
    <Base.Root>
      <Styles name="parts" />
      <Base.Trigger render={trigger} />
      <Base.Portal container={content()}>
        <Base.Positioner sideOffset={6} align="start" className="positioner">
          <Base.Popup className="popup menu">
            {actions.map(({ label, act, disabled }) =>
              typeof act === 'string' ? (
                <Base.LinkItem key={label} href={act} closeOnClick className="menu-item">
                  {label}
                </Base.LinkItem>
              ) : (
                <Base.Item key={label} onClick={act} disabled={disabled} className="menu-item">
                  {label}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
