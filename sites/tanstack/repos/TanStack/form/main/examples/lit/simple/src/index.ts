import { LitElement, css, html } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { TanStackFormController } from '@tanstack/lit-form'
import { isTaken, signUp } from './api'
import { fieldErrors } from './fieldErrors'
import type { SignUp } from './api'

const nobody: SignUp = { name: '', email: '', seats: 1 }

const inputOf = (event: Event) => event.target as HTMLInputElement

@customElement('sign-up')
export class SignUpForm extends LitElement {
  @state()
  private welcome = ''

  #form = new TanStackFormController(this, {
    defaultValues: nobody,
    onSubmit: async ({ value, formApi }) => {
      await signUp(value)
      this.welcome = `See you there, ${value.name}!`
      formApi.reset()
    },
  })

  #submit(event: SubmitEvent) {
    event.preventDefault()
    void this.#form.api.handleSubmit()
  }

  protected override render() {
    const { canSubmit, isSubmitting } = this.#form.api.state

    return html`
      <form novalidate @submit=${this.#submit}>
        <h1>Workshop sign-up</h1>

        ${this.#form.field(
          {
            name: 'name',
            validators: {
              onChange: ({ value }) =>
                value.trim() === '' ? 'Please tell us your name' : undefined,
            },
          },
          (field) => html`
            <div>
              <label for=${field.name}>Name</label>
              <input
                id=${field.name}
                aria-describedby="${field.name}-errors"
                .value=${field.state.value}
                @blur=${() => field.handleBlur()}
                @input=${(event: Event) => field.handleChange(inputOf(event).value)}
              />
              ${fieldErrors(field)}
            </div>
          `,
        )}
        ${this.#form.field(
          {
            name: 'email',
            validators: {
              onChange: ({ value }) =>
                value.includes('@') ? undefined : 'An address has an @ in it',
              // Runs only when the check above is content, and not on every key.
              onChangeAsyncDebounceMs: 400,
              onChangeAsync: async ({ value }) =>
                (await isTaken(value)) ? 'This address is signed up already' : undefined,
            },
          },
          (field) => html`
            <div>
              <label for=${field.name}>Email</label>
              <input
                id=${field.name}
                type="email"
                aria-describedby="${field.name}-errors"
                .value=${field.state.value}
                @blur=${() => field.handleBlur()}
                @input=${(event: Event) => field.handleChange(inputOf(event).value)}
              />
              ${fieldErrors(field)}
            </div>
          `,
        )}
        ${this.#form.field(
          {
            name: 'seats',
            validators: {
              onChange: ({ value }) =>
                Number.isInteger(value) && value >= 1 && value <= 4
                  ? undefined
                  : 'Between one and four seats',
            },
          },
          (field) => html`
            <div>
              <label for=${field.name}>Seats</label>
              <input
                id=${field.name}
                type="number"
                aria-describedby="${field.name}-errors"
                .value=${Number.isNaN(field.state.value) ? '' : String(field.state.value)}
                @blur=${() => field.handleBlur()}
                @input=${(event: Event) => field.handleChange(inputOf(event).valueAsNumber)}
              />
              ${fieldErrors(field)}
            </div>
          `,
        )}

        <button type="submit" aria-disabled=${!canSubmit}>
          ${isSubmitting ? 'Signing up…' : 'Sign up'}
        </button>

        <p role="status">${this.welcome}</p>
      </form>
    `
  }

  static override styles = css`
    :host {
      color-scheme: light dark;
      font-family: system-ui, sans-serif;
      line-height: 1.5;
    }

    form {
      display: grid;
      gap: 0.5rem;
      max-width: 22rem;
      margin: 3rem auto;
      padding: 0 1rem;
    }

    form > div {
      display: grid;
    }

    [aria-live] {
      min-height: 1.5em;
      margin: 0;
      color: #c0392b;
    }

    button[aria-disabled='true'] {
      opacity: 0.6;
    }
  `
}
