// The question below a docs page. Without scripts its form works, too; with them, the page stays.
import { announce } from './elements'

const FORM = 'form[data-feedback]'

export function serveFeedback(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target instanceof HTMLFormElement && event.target.matches(FORM) ? event.target : null
    if (!form) return
    event.preventDefault()
    void send(form, event.submitter)
  })
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const data = new FormData(form, submitter)
  const status = form.querySelector('.feedback-status')
  const show = (message: string) => {
    if (status) status.textContent = message
    announce(message)
  }
  const buttons = [...form.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  try {
    const headers = { accept: 'application/json' }
    // As the browser would encode it: files are not part of the form.
    const body = new URLSearchParams([...data].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
    const response = await fetch(form.action, { method: 'POST', headers, body })
    const answer = (await response.json()) as { id?: string; message: string }
    if (response.ok && answer.id) continueWith(form, answer.id, data.get('helpful'))
    show(answer.message)
  } catch {
    show('Your answer could not be sent. Check your connection and try again.')
  } finally {
    for (const button of buttons) button.disabled = false
  }
}

/** After the vote, the reader may add a note to it. */
function continueWith(form: HTMLFormElement, id: string, helpful: FormDataEntryValue | null): void {
  const field = form.elements.namedItem('id')
  if (field instanceof HTMLInputElement) field.value = id
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[name=helpful]')) {
    button.setAttribute('aria-pressed', String(button.value === helpful))
  }
  const details = form.querySelector('details')
  if (details) details.open = form.dataset.sent === undefined
  form.dataset.sent = ''
}
