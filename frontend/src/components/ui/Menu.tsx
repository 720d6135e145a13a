import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { portalContainer } from '../../lib/portalContainer'
import { AreaStyles } from './AreaStyles'
import { withBase } from '../../lib/paths'

export interface MenuAction {
  label: string
  /** A callback, or the URL of a link. */
  act: (() => void) | string
  disabled?: boolean
}

interface Props {
  trigger: ReactElement
  actions: readonly MenuAction[]
}

/** A menu of actions. For a choice among pages use LinkMenu, which needs no script. */
export function Menu({ trigger, actions }: Props) {
  return (
    <Base.Root>
      <AreaStyles name="interactive" />
      <Base.Trigger render={trigger} />
      <Base.Portal container={portalContainer()}>
        <Base.Positioner sideOffset={6} align="start" className="positioner">
          <Base.Popup className="popup menu">
            {actions.map(({ label, act, disabled }) =>
              typeof act === 'string' ? (
                <Base.LinkItem key={label} href={withBase(act)} closeOnClick className="menu-item">
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
