import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'
import { ServerError } from '../../api/call'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { useToast } from '../ui/Toast'

interface Props {
  trigger: ReactElement
  title: string
  description?: string
  action: string
  /** Sends the form. Rejects with a message that begins with the name of the wrong field. */
  save: (form: FormData) => Promise<unknown>
  saved: () => void
  /** The fields. `error` returns the error of a field. */
  children?: (error: (field: string) => string | undefined) => ReactNode
}

interface Failure {
  /** Empty if no field is wrong. */
  field: string
  message: string
}

/** A form in a dialog, which stays open until the server has accepted it. */
export function OverrideForm({ trigger, title, description, action, save, saved, children }: Props) {
  const [open, setOpen] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [isSaving, setIsSaving] = useState(false)
  const toast = useToast()
  const change = (isOpen: boolean) => {
    setOpen(isOpen)
    setFailure(undefined)
  }
  const submit = async (form: FormData) => {
    setIsSaving(true)
    try {
      await save(form)
      change(false)
      toast('Saved', 'All pages show it within seconds.')
      saved()
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setIsSaving(false)
    }
  }
  const error = (field: string) => (failure?.field === field ? failure.message : undefined)
  return (
    <Dialog trigger={trigger} title={title} description={description} open={open} onOpenChange={change}>
      <form
        noValidate
        className="override-form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        {children?.(error)}
        {failure ? (
          <p role="alert" className="field-error">
            {failure.field ? 'Not saved. ' : ''}
            {failure.message}
          </p>
        ) : null}
        <Button type="submit" variant="primary" disabled={isSaving}>
          {action}
        </Button>
      </form>
    </Dialog>
  )
}

/** A message of the server begins with the field, as in `title: enter a value`; before it stands the function if a type is wrong. */
function failureOf(error: unknown): Failure {
  if (!(error instanceof ServerError)) return { field: '', message: 'Something went wrong. Try again.' }
  const [, field = '', message = ''] = /^(?:overrides\.[a-z]+: [a-z]+\.)?([a-z_]+): ([^]+)$/i.exec(error.message) ?? []
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  return field ? { field: snakeCase(field), message: sentence } : { field: '', message: error.message }
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function text(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
