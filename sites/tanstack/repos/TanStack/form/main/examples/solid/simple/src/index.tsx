import { createSignal } from 'solid-js'
import { render } from 'solid-js/web'
import { createForm } from '@tanstack/solid-form'
import { FieldErrors } from './FieldErrors'
import { isTaken, signUp } from './api'
import type { SignUp } from './api'
import './index.css'

const nobody: SignUp = { name: '', email: '', seats: 1 }

function App() {
  const [welcome, setWelcome] = createSignal('')

  const form = createForm(() => ({
    defaultValues: nobody,
    onSubmit: async ({ value, formApi }) => {
      await signUp(value)
      setWelcome(`See you there, ${value.name}!`)
      formApi.reset()
    },
  }))

  return (
    <form
      novalidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.handleSubmit()
      }}
    >
      <h1>Workshop sign-up</h1>

      <form.Field
        name="name"
        validators={{
          onChange: ({ value }) => (value.trim() === '' ? 'Please tell us your name' : undefined),
        }}
      >
        {(field) => (
          <div>
            <label for={field().name}>Name</label>
            <input
              id={field().name}
              aria-describedby={`${field().name}-errors`}
              value={field().state.value}
              onBlur={() => field().handleBlur()}
              onInput={(event) => field().handleChange(event.currentTarget.value)}
            />
            <FieldErrors field={field()} />
          </div>
        )}
      </form.Field>

      <form.Field
        name="email"
        validators={{
          onChange: ({ value }) =>
            value.includes('@') ? undefined : 'An address has an @ in it',
          // Runs only when the check above is content, and not on every key.
          onChangeAsyncDebounceMs: 400,
          onChangeAsync: async ({ value }) =>
            (await isTaken(value)) ? 'This address is signed up already' : undefined,
        }}
      >
        {(field) => (
          <div>
            <label for={field().name}>Email</label>
            <input
              id={field().name}
              type="email"
              aria-describedby={`${field().name}-errors`}
              value={field().state.value}
              onBlur={() => field().handleBlur()}
              onInput={(event) => field().handleChange(event.currentTarget.value)}
            />
            <FieldErrors field={field()} />
          </div>
        )}
      </form.Field>

      <form.Field
        name="seats"
        validators={{
          onChange: ({ value }) =>
            Number.isInteger(value) && value >= 1 && value <= 4
              ? undefined
              : 'Between one and four seats',
        }}
      >
        {(field) => (
          <div>
            <label for={field().name}>Seats</label>
            <input
              id={field().name}
              type="number"
              aria-describedby={`${field().name}-errors`}
              value={Number.isNaN(field().state.value) ? '' : field().state.value}
              onBlur={() => field().handleBlur()}
              onInput={(event) => field().handleChange(event.currentTarget.valueAsNumber)}
            />
            <FieldErrors field={field()} />
          </div>
        )}
      </form.Field>

      <form.Subscribe
        selector={({ canSubmit, isSubmitting }) => ({ canSubmit, isSubmitting })}
      >
        {(state) => (
          <button type="submit" aria-disabled={!state().canSubmit}>
            {state().isSubmitting ? 'Signing up…' : 'Sign up'}
          </button>
        )}
      </form.Subscribe>

      <p role="status">{welcome()}</p>
    </form>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root element')

render(() => <App />, root)
