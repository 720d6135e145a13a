import type { ReactNode } from 'react'
import type { FrameworkTarget } from '../../api/generated'
import { findFramework } from '../../lib/docs/framework'
import type { ExternalUrl, SitePath } from '../../lib/paths'
import { anyUrl } from '../../lib/paths'
import { useShell } from './useShell'

interface Props {
  targets: readonly FrameworkTarget[]
  /** Renders the link of a framework. `label` is the name of the framework, empty for a target of all frameworks. */
  children: (to: SitePath | ExternalUrl, label: string) => ReactNode
}

/** One link for each framework. Styles show that of the reader's framework, else the first; so pages are the same for all. */
export function FrameworkTargets({ targets, children }: Props) {
  const { frameworks } = useShell()
  const label = (value: string | null) => (value ? findFramework(frameworks, value).label : '')
  const [only] = targets
  if (!only) return null
  if (targets.length === 1) return children(anyUrl(only.to), label(only.framework))
  return (
    <span className="by-framework">
      {targets.map(({ framework, to }) => (
        <span key={framework} data-framework={framework}>
          {children(anyUrl(to), label(framework))}
        </span>
      ))}
    </span>
  )
}
