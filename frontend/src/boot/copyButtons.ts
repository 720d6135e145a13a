// Copies code blocks, and whole pages as Markdown.
import { announce } from './announce'

const COPIED_MS = 2000

/** Adds a button to each code block that has none. */
export function addCopyButtons(): void {
  if (!navigator.clipboard) return
  for (const figure of document.querySelectorAll('[data-markup] figure.code:not(:has(> .copy))')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    figure.append(button)
  }
}

export function serveCopyButtons(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest<HTMLElement>('.copy, [data-copy-page]')
    if (button) void copy(button)
  })
}

async function copy(button: HTMLElement): Promise<void> {
  const label = button.querySelector('[data-label]') ?? button
  // Read once: a second press may come while the label still shows the result of the first.
  const original = (button.dataset.original ??= label.textContent)
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
    label.textContent = original
    announce('')
  }, COPIED_MS)
}

/** Of a shell session, only the commands; of a block without its imports, those too (codeNames/importsButton.ts). */
function codeBeside(button: HTMLElement): string {
  const code = button.parentElement?.querySelector('code')
  return button.dataset.text ?? code?.dataset.copy ?? (code?.textContent ?? '').replace(/\n$/, '')
}

/** Starts to write before the response is there: browsers may forbid writing that starts long after the click. */
async function copyFrom(url: string): Promise<void> {
  const text = fetch(url).then((response) => {
    if (!response.ok) throw new Error(`${url}: status ${response.status}`)
    return response.text()
  })
  try {
    const blob = text.then((content) => new Blob([content], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  } catch {
    await navigator.clipboard.writeText(await text)
  }
}
