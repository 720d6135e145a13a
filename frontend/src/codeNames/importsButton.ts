// The second copy button of a block that lacks import statements. The boot script serves its click.
import { element } from '../reader/elements'

export function addImportsButton(code: HTMLElement, imports: readonly string[]): void {
  const figure = code.closest('figure')
  if (!figure || imports.length === 0 || figure.querySelector('.copy-imports')) return
  const button = element('button', { type: 'button', className: 'copy copy-imports', textContent: 'Copy with imports' })
  button.dataset.text = `${imports.join('\n')}\n\n${(code.textContent ?? '').replace(/\n$/, '')}`
  figure.append(button)
}
