import type { CSSProperties } from 'react'
import { findFramework } from '../../lib/docs/framework'
import { useShell } from './useShell'

interface LogoStyle extends CSSProperties {
  '--from': string
  '--row': number
}

/** The logo of a framework in its color, and its name. */
export function FrameworkLabel({ value }: { value: string }) {
  const { frameworks } = useShell()
  const { label, color, logo } = findFramework(frameworks, value)
  const style: LogoStyle = { '--from': color, '--row': logo }
  return (
    <span className="framework-label">
      <span className="framework-logo" aria-hidden="true" style={style} />
      <span>{label}</span>
    </span>
  )
}
