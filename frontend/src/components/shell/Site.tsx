import type { ReactNode } from 'react'
import type { Shell } from '../../api/generated'
import { Main } from '../ui/Main'
import { SiteFrame } from './SiteFrame'

interface Props {
  shell: Shell
  /** The page brings its own columns and sections, from edge to edge. */
  bleed?: boolean
  children: ReactNode
}

/** A page outside the docs. */
export function Site({ shell, bleed = false, children }: Props) {
  return (
    <SiteFrame shell={shell}>
      <Main className={bleed ? undefined : 'column page'}>{children}</Main>
    </SiteFrame>
  )
}
