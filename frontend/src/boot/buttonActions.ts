// Actions of buttons and links that need no React: retry, back, choice of framework, page width, removing a pin, hiding a notice or the announcement, search.
import { HIDDEN_NOTICE, PAGE_WIDTH, PINNED_VERSION } from '../lib/storageKeys'
import { READER_ACTION } from '../lib/events'
import { CONTENT_ID } from '../lib/layoutIds'
import { dismissArrival } from './arrivalNotice'
import { closeAnnouncement } from './announcementBar'
import { loadBundle } from './bundles'
import { chooseFramework } from './chooseFramework'
import { firstSegment } from './shownPage'
import { openSearch } from './searchShortcut'

const MONTH_MS = 30 * 24 * 3600 * 1000

const ACTIONS: Record<string, (value: string, event: Event) => void> = {
  retry: () => location.reload(),
  goBack,
  chooseFramework: followChoice,
  widthToggle: toggleWidth,
  hideNotice,
  unpin,
  dismissArrival,
  closeAnnouncement,
  bookmark: () => act('bookmark'),
  notes: () => act('notes'),
  search: (_, event) => {
    if (openSearch()) event.preventDefault()
  },
}
const SELECTOR = Object.keys(ACTIONS).map((name) => `[data-${name.replace(/[A-Z]/, (letter) => `-${letter}`)}]`).join()

export function serveButtons(): void {
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>(SELECTOR) : null
    for (const [name, value] of Object.entries(target?.dataset ?? {})) ACTIONS[name]?.(value ?? '', event)
  })
}

function act(name: string): void {
  const dispatch = () => document.dispatchEvent(new CustomEvent(READER_ACTION, { detail: name }))
  // What cannot be loaded now is loaded by the next click.
  loadBundle('reader')?.then(dispatch, () => undefined)
}

function goBack(_: string, event: Event): void {
  // Without a history, the link is followed.
  if (history.length < 2) return
  event.preventDefault()
  history.back()
}

function followChoice(framework: string, event: Event): void {
  chooseFramework(framework)
  // A docs page for all frameworks shows the chosen one itself.
  if (/\/docs\/(?!framework)/.test(location.pathname)) event.preventDefault()
}

function toggleWidth(): void {
  const { __kinfolk } = window
  __kinfolk.write(PAGE_WIDTH, document.documentElement.dataset.width === 'wide' ? '' : 'wide')
  __kinfolk.applyPreferences()
}

function unpin(library: string): void {
  const { __kinfolk } = window
  __kinfolk.write(PINNED_VERSION + library, '')
  __kinfolk.applyPreferences()
  // The button that had the focus is hidden.
  document.getElementById(CONTENT_ID)?.focus({ preventScroll: true })
}

function hideNotice(): void {
  const { __kinfolk } = window
  __kinfolk.write(HIDDEN_NOTICE + firstSegment(), `${Date.now() + MONTH_MS}`)
  __kinfolk.applyPreferences()
  // The button that had the focus is hidden.
  document.getElementById(CONTENT_ID)?.focus({ preventScroll: true })
}
