import { Component, signal } from '@angular/core'
import { TanStackField, injectForm, injectStore } from '@tanstack/angular-form'
import { isTaken, signUp } from './api'
import type { SignUp } from './api'
import { FieldErrorsComponent } from './field-errors.component'

const nobody: SignUp = { name: '', email: '', seats: 1 }

@Component({
  selector: 'app-root',
  imports: [FieldErrorsComponent, TanStackField],
  template: `
    <form novalidate (submit)="submit($event)">
      <h1>Workshop sign-up</h1>

      <ng-container
        [tanstackField]="form"
        name="name"
        [validators]="{ onChange: isNamed }"
        #name="field"
      >
        <div>
          <label for="name">Name</label>
          <input
            id="name"
            aria-describedby="name-errors"
            [value]="name.api.state.value"
            (blur)="name.api.handleBlur()"
            (input)="name.api.handleChange(inputOf($event).value)"
          />
          <app-field-errors name="name" [meta]="name.api.state.meta" />
        </div>
      </ng-container>

      <!-- The server is asked only when the first check is content, and not on every key. -->
      <ng-container
        [tanstackField]="form"
        name="email"
        [validators]="{ onChange: hasAt, onChangeAsyncDebounceMs: 400, onChangeAsync: isNew }"
        #email="field"
      >
        <div>
          <label for="email">Email</label>
          <input
            id="email"
            type="email"
            aria-describedby="email-errors"
            [value]="email.api.state.value"
            (blur)="email.api.handleBlur()"
            (input)="email.api.handleChange(inputOf($event).value)"
          />
          <app-field-errors name="email" [meta]="email.api.state.meta" />
        </div>
      </ng-container>

      <ng-container
        [tanstackField]="form"
        name="seats"
        [validators]="{ onChange: isFew }"
        #seats="field"
      >
        <div>
          <label for="seats">Seats</label>
          <input
            id="seats"
            type="number"
            aria-describedby="seats-errors"
            [value]="seats.api.state.value"
            (blur)="seats.api.handleBlur()"
            (input)="seats.api.handleChange(inputOf($event).valueAsNumber)"
          />
          <app-field-errors name="seats" [meta]="seats.api.state.meta" />
        </div>
      </ng-container>

      <button type="submit" [attr.aria-disabled]="!canSubmit()">
        {{ isSubmitting() ? 'Signing up…' : 'Sign up' }}
      </button>

      <p role="status">{{ welcome() }}</p>
    </form>
  `,
})
export class AppComponent {
  protected readonly welcome = signal('')

  protected readonly form = injectForm({
    defaultValues: nobody,
    onSubmit: async ({ value, formApi }) => {
      await signUp(value)
      this.welcome.set(`See you there, ${value.name}!`)
      formApi.reset()
    },
  })

  protected readonly canSubmit = injectStore(this.form, (state) => state.canSubmit)
  protected readonly isSubmitting = injectStore(this.form, (state) => state.isSubmitting)

  protected readonly isNamed = ({ value }: { value: string }) =>
    value.trim() === '' ? 'Please tell us your name' : undefined

  protected readonly hasAt = ({ value }: { value: string }) =>
    value.includes('@') ? undefined : 'An address has an @ in it'

  protected readonly isNew = async ({ value }: { value: string }) =>
    (await isTaken(value)) ? 'This address is signed up already' : undefined

  protected readonly isFew = ({ value }: { value: number }) =>
    Number.isInteger(value) && value >= 1 && value <= 4 ? undefined : 'Between one and four seats'

  protected inputOf(event: Event): HTMLInputElement {
    return event.target as HTMLInputElement
  }

  protected submit(event: SubmitEvent): void {
    event.preventDefault()
    void this.form.handleSubmit()
  }
}
