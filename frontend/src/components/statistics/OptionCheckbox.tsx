import { useEffect, useRef } from 'react'

interface Props {
  label: string
  /** What the option does, in a sentence. */
  hint?: string
  /** The parameter and its value, where the form is sent without a script. */
  name: string
  value: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A native checkbox: it works without a script. */
export function OptionCheckbox({ label, hint, name, value, checked, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null)
  const hydrated = useRef(false)
  // The element has the state, not React: the reader may have changed it before the page was hydrated.
  useEffect(() => {
    const element = box.current
    if (!element) return
    if (hydrated.current) element.checked = checked
    else if (element.checked !== checked) onChange(element.checked)
    hydrated.current = true
    // oxlint-disable-next-line react/exhaustive-deps -- only another state changes the element
  }, [checked])
  return (
    <label className="option-checkbox">
      <input ref={box} type="checkbox" name={name} value={value} defaultChecked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {label}
        {hint ? <small>{hint}</small> : null}
      </span>
    </label>
  )
}
