import { LitElement, html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { TanStackFormController } from '@tanstack/lit-form'
import { isTaken, signUp } from './api'

@customElement('sign-up')
export class SignUp extends LitElement {
  #form = new TanStackFormController(this, {
    defaultValues: { name: '', seats: 1 },
    onSubmit: ({ value }) => signUp(value),
  })

  #submit(event: SubmitEvent) {
    event.preventDefault()
    void this.#form.api.handleSubmit()
  }

  protected override render() {
    return html`
      <form @submit=${this.#submit}>
        ${this.#form.field(
          {
            name: 'name',
            validators: {
              onChange: ({ value }) => (value.trim() === '' ? 'Please tell us your name' : undefined),
              onChangeAsyncDebounceMs: 400,
              onChangeAsync: async ({ value }) =>
                (await isTaken(value)) ? 'Already signed up' : undefined,
            },
          },
          (field) => html`
            <label>
              Name
              <input
                .value=${field.state.value}
                @blur=${() => field.handleBlur()}
                @input=${(event: Event) => field.handleChange((event.target as HTMLInputElement).value)}
              />
              <em>${field.state.meta.errors.join(', ')}</em>
            </label>
          `,
        )}
        <button>${this.#form.api.state.isSubmitting ? 'Signing up…' : 'Sign up'}</button>
      </form>
    `
  }
}
