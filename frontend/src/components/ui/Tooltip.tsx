import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { content } from '../../lib/content'
import { Styles } from './Styles'

interface Props {
  /** What is explained: a button or a link with a name of its own, since touch shows no tooltips. */
  children: ReactElement
  words: string
}

export function Tooltip({ children, words }: Props) {
  return (
    <Base.Root>
      <Styles name="parts" />
      <Base.Trigger render={children} delay={300} />
      <Base.Portal container={content()}>
        <Base.Positioner sideOffset={6} className="positioner">
          <Base.Popup className="tooltip">{words}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
