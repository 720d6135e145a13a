// Bundle `upgrade`: reads a package.json on the upgrade page, and pins the versions that it shows. The page loads it itself.
import { MARKUP_CHANGED } from './lib/events'
import { PINNED_VERSION } from './lib/storageKeys'
import { faultMessage } from './lib/upgrade/faultMessage'
import type { Fault } from './lib/upgrade/packageFiles'
import { readPackages } from './lib/upgrade/packageFiles'

const LARGEST_FILE = 8 << 20
/** As `UPGRADE_VALUE` of the server, which drops a longer value. */
const LONGEST_VALUE = 4000

function form(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>('form[data-upgrade]')
}

function knownPackages(): Set<string> {
  return new Set([...document.querySelectorAll('[data-package]')].map(({ textContent }) => textContent))
}

/** Opens the page about what the file names. Nothing else of it leaves the browser. */
function openUpgrades(text: string): void {
  const read = readPackages(text, knownPackages())
  if (read.kind === 'fault') return showFault(read.fault, read.line)
  const query = new URLSearchParams({ packages: read.packages.join(',') }).toString()
  if (query.length > LONGEST_VALUE) return showFault('many')
  location.assign(`${form()?.action}?${query}`)
}

function showFault(fault: Fault, line?: number): void {
  const place = document.querySelector<HTMLElement>('[data-upgrade-fault]')
  const field = form()?.querySelector('textarea')
  if (!place || !field) return
  place.textContent = faultMessage(fault, line)
  place.hidden = false
  field.dataset.invalid = ''
  field.setAttribute('aria-invalid', 'true')
  field.focus()
}

async function readFile(file: File | undefined): Promise<void> {
  if (!file) return
  if (file.size > LARGEST_FILE) return showFault('large')
  const text = await file.text()
  const field = form()?.querySelector('textarea')
  // A field with megabytes of text slows the page down.
  if (field && text.length < LARGEST_FILE >> 5) field.value = text
  openUpgrades(text)
}

/** Which buttons are pressed: those of the versions that the reader pinned. */
function showPins(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-pin]')) {
    const { pin, version = '' } = button.dataset
    button.setAttribute('aria-pressed', String(window.__kinfolk.read(PINNED_VERSION + pin) === version))
  }
}

function togglePin(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-pin]') : null
  if (button) {
    const { pin, version = '' } = button.dataset
    window.__kinfolk.write(PINNED_VERSION + pin, button.ariaPressed === 'true' ? '' : version)
    window.__kinfolk.applyPreferences()
  }
  // The boot script, which removes pins, may have its listener after this one.
  setTimeout(showPins)
}

addEventListener('submit', (event) => {
  if (event.target !== form()) return
  event.preventDefault()
  openUpgrades(form()?.querySelector('textarea')?.value ?? '')
})
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.matches('[data-upgrade-file]')) void readFile(target.files?.[0])
})
document.addEventListener('dragover', (event) => {
  if (form() && event.dataTransfer?.types.includes('Files')) event.preventDefault()
})
document.addEventListener('drop', (event) => {
  if (!form() || !event.dataTransfer?.files.length) return
  event.preventDefault()
  void readFile(event.dataTransfer.files[0])
})
document.addEventListener('click', togglePin)
document.addEventListener(MARKUP_CHANGED, showPins)
showPins()
