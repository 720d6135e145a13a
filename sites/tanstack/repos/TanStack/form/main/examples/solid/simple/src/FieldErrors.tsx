import type { AnyFieldApi } from '@tanstack/solid-form'

export function FieldErrors(props: { field: AnyFieldApi }) {
  const text = () => {
    const { errors, isTouched, isValid, isValidating } = props.field.state.meta
    return isValidating ? 'Checking…' : isTouched && !isValid ? errors.join(', ') : null
  }

  return (
    <p id={`${props.field.name}-errors`} aria-live="polite">
      {text()}
    </p>
  )
}
