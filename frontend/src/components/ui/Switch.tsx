import { Switch as Base } from '@base-ui/react/switch'
import { useId } from 'react'
import { AreaStyles } from './AreaStyles'

interface Props {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** A setting that takes effect at once. */
export function Switch({ label, checked, onChange, disabled }: Props) {
  const name = useId()
  return (
    <span className="switch-row">
      <AreaStyles name="interactive" />
      <Base.Root
        checked={checked}
        onCheckedChange={(on) => onChange(on)}
        disabled={disabled}
        aria-labelledby={name}
        className="switch"
      >
        <Base.Thumb className="switch-thumb" />
      </Base.Root>
      <span id={name}>{label}</span>
    </span>
  )
}
