import { createForm } from '@tanstack/solid-form'
import { isTaken, signUp } from './api'

export function SignUp() {
  const form = createForm(() => ({
    defaultValues: { name: '', seats: 1 },
    onSubmit: ({ value }) => signUp(value),
  }))

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void form.handleSubmit()
      }}
    >
      <form.Field
        name="name"
        validators={{
          onChange: ({ value }) => (value.trim() === '' ? 'Please tell us your name' : undefined),
          onChangeAsyncDebounceMs: 400,
          onChangeAsync: async ({ value }) => ((await isTaken(value)) ? 'Already signed up' : undefined),
        }}
      >
        {(field) => (
          <label>
            Name
            <input
              value={field().state.value}
              onBlur={() => field().handleBlur()}
              onInput={(event) => field().handleChange(event.currentTarget.value)}
            />
            <em>{field().state.meta.errors.join(', ')}</em>
          </label>
        )}
      </form.Field>
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(isSubmitting) => <button>{isSubmitting() ? 'Signing up…' : 'Sign up'}</button>}
      </form.Subscribe>
    </form>
  )
}
