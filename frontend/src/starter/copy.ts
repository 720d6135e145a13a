// Copies code, and whole pages as Markdown.
import { announce } from './announce'

const COPIED_MS = 2000

export function serveCopying(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest<HTMLElement>('.copy, [data-copy-page]')
    if (button) void copy(button)
  })
}

async function copy(button: HTMLElement): Promise<void> {
  const label = button.querySelector('[data-label]') ?? button
  // A second press while it still says so must not become what it says for ever.
  const words = (button.dataset.words ??= label.textContent)
  try {
    const { copyPage } = button.dataset
    if (copyPage) await copyFrom(copyPage)
    else await navigator.clipboard.writeText(codeBeside(button))
    label.textContent = 'Copied!'
  } catch {
    label.textContent = 'Not copied'
  }
  announce(label.textContent)
  setTimeout(() => {
    label.textContent = words
    announce('')
  }, COPIED_MS)
}

function codeBeside(button: HTMLElement): string {
  return (button.parentElement?.querySelector('code')?.textContent ?? '').replace(/\n$/, '')
}

/** Begun at once: a browser may forbid what begins after an answer has come. */
async function copyFrom(address: string): Promise<void> {
  const text = fetch(address).then((response) => {
    if (!response.ok) throw new Error(`${address} answered ${response.status}`)
    return response.text()
  })
  try {
    const blob = text.then((words) => new Blob([words], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  } catch {
    await navigator.clipboard.writeText(await text)
  }
}
