import { html } from 'lit'
import type { AnyFieldApi } from '@tanstack/lit-form'

export function fieldErrors(field: AnyFieldApi) {
  const { errors, isTouched, isValid, isValidating } = field.state.meta
  const text = isValidating ? 'Checking…' : isTouched && !isValid ? errors.join(', ') : ''

  return html`<p id="${field.name}-errors" aria-live="polite">${text}</p>`
}
