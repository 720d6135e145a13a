import { Field as Base } from '@base-ui/react/field'
import type { InputHTMLAttributes } from 'react'
import { AreaStyles } from './AreaStyles'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'defaultValue' | 'value'> {
  label: string
  name: string
  defaultValue?: string
  /** Help text below the field. */
  hint?: string
  /** The validation error. */
  error?: string
}

/** A text field with its label, a hint and its error. */
export function TextField({ label, name, hint, error, disabled, ...input }: Props) {
  return (
    <Base.Root name={name} invalid={error !== undefined} disabled={disabled} className="field">
      <AreaStyles name="interactive" />
      <Base.Label className="field-label">{label}</Base.Label>
      <Base.Control {...input} className="control" />
      {hint ? <Base.Description className="field-hint">{hint}</Base.Description> : null}
      <Base.Error match={error !== undefined} className="field-error">
        {error}
      </Base.Error>
    </Base.Root>
  )
}
