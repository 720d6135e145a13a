import { useEffect, useId, useRef } from 'react'
import type { Option } from '../../lib/statistics/comparisonOptions'

interface Props<Value extends string> {
  label: string
  /** The parameter, where the form is sent without a script. */
  name: string
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** A native choice: it works without a script, and as each phone shows it. */
export function OptionSelect<Value extends string>({ label, name, options, value, onChange }: Props<Value>) {
  const id = useId()
  const select = useRef<HTMLSelectElement>(null)
  const hydrated = useRef(false)
  const choose = (text: string) => {
    const chosen = options.find((option) => option.value === text)
    if (chosen && chosen.value !== value) onChange(chosen.value)
  }
  // The element has the value, not React: the reader may have chosen one before the page was hydrated.
  useEffect(() => {
    const element = select.current
    if (!element) return
    if (hydrated.current) element.value = value
    else choose(element.value)
    hydrated.current = true
    // oxlint-disable-next-line react/exhaustive-deps -- only another value or other options change the element
  }, [value, options])
  return (
    <div className="option-field">
      <label htmlFor={id}>{label}</label>
      <select ref={select} id={id} name={name} defaultValue={value} onChange={(event) => choose(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
