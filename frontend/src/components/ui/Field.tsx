import { Field as Base } from '@base-ui/react/field'
import type { InputHTMLAttributes } from 'react'
import { Styles } from './Styles'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'defaultValue' | 'value'> {
  label: string
  name: string
  defaultValue?: string
  /** What helps to fill it in. */
  hint?: string
  /** What is wrong with it. */
  error?: string
}

/** A line of text with its name, a hint, and what is wrong with it. */
export function Field({ label, name, hint, error, disabled, ...input }: Props) {
  return (
    <Base.Root name={name} invalid={error !== undefined} disabled={disabled} className="field">
      <Styles name="parts" />
      <Base.Label className="field-label">{label}</Base.Label>
      <Base.Control {...input} className="control" />
      {hint ? <Base.Description className="field-hint">{hint}</Base.Description> : null}
      <Base.Error match={error !== undefined} className="field-error">
        {error}
      </Base.Error>
    </Base.Root>
  )
}
