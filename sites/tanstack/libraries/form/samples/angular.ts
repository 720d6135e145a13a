import { Component } from '@angular/core'
import { TanStackField, injectForm, injectStore } from '@tanstack/angular-form'
import { isTaken, signUp } from './api'

@Component({
  selector: 'app-sign-up',
  imports: [TanStackField],
  template: `
    <form (submit)="submit($event)">
      <ng-container
        [tanstackField]="form"
        name="name"
        [validators]="{ onChange: isNamed, onChangeAsyncDebounceMs: 400, onChangeAsync: isNew }"
        #name="field"
      >
        <label>
          Name
          <input
            #input
            [value]="name.api.state.value"
            (blur)="name.api.handleBlur()"
            (input)="name.api.handleChange(input.value)"
          />
          <em>{{ name.api.state.meta.errors.join(', ') }}</em>
        </label>
      </ng-container>
      <button>{{ isSubmitting() ? 'Signing up…' : 'Sign up' }}</button>
    </form>
  `,
})
export class SignUpComponent {
  protected readonly form = injectForm({
    defaultValues: { name: '', seats: 1 },
    onSubmit: ({ value }) => signUp(value),
  })

  protected readonly isSubmitting = injectStore(this.form, (state) => state.isSubmitting)

  protected readonly isNamed = ({ value }: { value: string }) =>
    value.trim() === '' ? 'Please tell us your name' : undefined

  protected readonly isNew = async ({ value }: { value: string }) =>
    (await isTaken(value)) ? 'Already signed up' : undefined

  protected submit(event: SubmitEvent): void {
    event.preventDefault()
    void this.form.handleSubmit()
  }
}
