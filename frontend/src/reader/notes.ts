// Private notes on headings of a docs page: a dialog, and marks beside the headings.
import { MARKUP_CHANGED, READER_ACTION, SAVED_CHANGED } from '../lib/events'
import { removeItem, savedItem, savedItems, saveItem } from '../lib/accounts/savedItems'
import { element } from './elements'
import type { ShownHeading } from './docsPage'
import { currentHeading, shownHeadings, shownPage } from './docsPage'
import { currentPath } from '../lib/paths'

const LONGEST = 4000

export function serveNotes(): void {
  markHeadings()
  document.addEventListener(SAVED_CHANGED, markHeadings)
  document.addEventListener(MARKUP_CHANGED, markHeadings)
  document.addEventListener(READER_ACTION, (event) => {
    if ((event as CustomEvent<string>).detail === 'notes') open()
  })
  document.addEventListener('click', ({ target }) => {
    const mark = target instanceof Element ? target.closest<HTMLElement>('.note-mark') : null
    if (mark) open(mark.parentElement?.id)
  })
}

function addressOf(heading: string): string {
  return heading ? `${currentPath()}#${heading}` : currentPath()
}

/** A button beside each heading that has a note. */
function markHeadings(): void {
  const noted = new Set(savedItems('note').map(({ key }) => key))
  for (const { id, element: heading } of shownHeadings()) {
    const mark = heading.querySelector(':scope > .note-mark')
    const has = noted.has(addressOf(id))
    if (has && !mark) heading.append(element('button', { type: 'button', className: 'note-mark' }, ['Note']))
    else if (!has) mark?.remove()
  }
}

function open(heading = currentHeading()?.id ?? ''): void {
  const page = shownPage()
  if (!page) return
  const dialog = element('dialog', { className: 'reader-dialog' })
  dialog.setAttribute('aria-labelledby', 'Site-notes-title')
  dialog.append(...content(dialog, shownHeadings(), heading))
  // React does not manage what stands at the end of the body, and a visit leaves it.
  dialog.dataset.permanent = ''
  document.body.append(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.showModal()
  dialog.querySelector('textarea')?.focus()
}

function content(dialog: HTMLDialogElement, headings: ShownHeading[], heading: string): Node[] {
  const page = element('option', { value: '', textContent: 'The whole page' })
  const sections = headings.map(({ id, text }) => element('option', { value: id, textContent: text }))
  const select = element('select', { id: 'Site-note-heading', className: 'control' }, [page, ...sections])
  select.value = headings.some(({ id }) => id === heading) ? heading : ''
  const text = element('textarea', { id: 'Site-note-text', className: 'control', rows: 5, maxLength: LONGEST })
  const save = element('button', { className: 'button button-primary', textContent: 'Save' })
  const remove = element('button', { type: 'button', className: 'button', textContent: 'Delete' })
  const show = () => {
    text.value = savedItem('note', addressOf(select.value))?.text ?? ''
    remove.hidden = !text.value
  }
  show()
  select.addEventListener('change', show)
  remove.addEventListener('click', () => {
    removeItem('note', addressOf(select.value))
    dialog.close()
  })
  const form = element('form', { method: 'dialog' }, [
    field('Site-note-heading', 'Section', select),
    field('Site-note-text', 'Note', text),
    element('p', { className: 'field-hint', textContent: `Only you see your notes. They are ${place()}.` }),
    element('div', { className: 'actions' }, [save, remove]),
  ])
  form.addEventListener('submit', () => saveNote(select, text.value.trim()))
  const close = element('button', { type: 'button', className: 'button button-small', textContent: 'Close' })
  close.addEventListener('click', () => dialog.close())
  const title = element('h2', { id: 'Site-notes-title', textContent: 'Your note' })
  return [element('div', { className: 'reader-dialog-head' }, [title, close]), form]
}

/** Where readers find their notes: a site without accounts has no dashboard. */
function place(): string {
  return document.querySelector('[data-notes="local"]') ? 'stored in this browser' : 'on your dashboard'
}

function saveNote(select: HTMLSelectElement, text: string): void {
  const page = shownPage()
  if (!page) return
  const key = addressOf(select.value)
  const heading = select.value ? (select.selectedOptions[0]?.textContent ?? '') : ''
  if (text) saveItem('note', key, { text, title: page.title, heading, digest: page.digest })
  else if (savedItem('note', key)) removeItem('note', key)
}

function field(id: string, label: string, control: HTMLElement): HTMLElement {
  return element('div', { className: 'field' }, [element('label', { htmlFor: id, className: 'field-label', textContent: label }), control])
}
