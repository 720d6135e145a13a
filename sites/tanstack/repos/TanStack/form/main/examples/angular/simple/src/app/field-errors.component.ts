import { Component, input } from '@angular/core'
import type { AnyFieldApi } from '@tanstack/angular-form'

@Component({
  selector: 'app-field-errors',
  template: `
    <p [id]="name() + '-errors'" aria-live="polite">
      @if (meta().isValidating) {
        Checking…
      } @else if (meta().isTouched && !meta().isValid) {
        {{ meta().errors.join(', ') }}
      }
    </p>
  `,
})
export class FieldErrorsComponent {
  readonly name = input.required<string>()
  readonly meta = input.required<AnyFieldApi['state']['meta']>()
}
