import type { AnyFieldApi } from '@tanstack/react-form'

export function FieldErrors({ field }: { field: AnyFieldApi }) {
  const { errors, isTouched, isValid, isValidating } = field.state.meta

  return (
    <p id={`${field.name}-errors`} aria-live="polite">
      {isValidating ? 'Checking…' : isTouched && !isValid ? errors.join(', ') : null}
    </p>
  )
}
