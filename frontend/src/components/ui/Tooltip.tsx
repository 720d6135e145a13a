import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { portalContainer } from '../../lib/portalContainer'
import { AreaStyles } from './AreaStyles'

interface Props {
  /** A button or a link. It needs an accessible name of its own, since touch screens show no tooltips. */
  children: ReactElement
  words: string
}

export function Tooltip({ children, words }: Props) {
  return (
    <Base.Root>
      <AreaStyles name="interactive" />
      <Base.Trigger render={children} delay={300} />
      <Base.Portal container={portalContainer()}>
        <Base.Positioner sideOffset={6} className="positioner">
          <Base.Popup className="tooltip">{words}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
