import { useForm } from '@tanstack/react-form'

const onChange = ({ value }: { value: string }) =>
  /^\S+@\S+\.\S+$/.test(value) ? undefined : 'An address looks like ada@example.com'

export function Demo() {
  const form = useForm({ defaultValues: { email: '' } })
  return (
    <form.Field name="email" validators={{ onChange }}>
      {({ state: { value, meta }, handleChange }) => (
        <label>
          Email
          <input value={value} placeholder="ada@example.com" aria-invalid={!meta.isValid}
            onChange={(event) => handleChange(event.target.value)} />
          <output>{meta.errors[0] ?? (meta.isDirty ? 'That is an address' : 'Type an address')}</output>
        </label>
      )}
    </form.Field>
  )
}
