// Records which docs pages the reader has read and how far, to continue there.
import { MARKUP_CHANGED } from '../lib/events'
import { savedItem, saveItem } from '../lib/accounts/savedItems'
import type { ShownPage } from './docsPage'
import { currentHeading, shownPage } from './docsPage'
import { currentPath } from '../lib/paths'

/** A page that is left earlier was not read. */
const READ_MS = 8000
const SCROLL_PAUSE_MS = 800

interface Progress {
  heading: string
  progress: number
}

let page: ShownPage | undefined
let sinceMs = 0
let latest: Progress = { heading: '', progress: 0 }
let timer = 0

export function recordReading(): void {
  beginPage()
  addEventListener('scroll', measureSoon, { passive: true })
  addEventListener('pagehide', store)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') store()
  })
  document.addEventListener(MARKUP_CHANGED, () => {
    if (shownPage()?.address === page?.address) return
    store()
    beginPage()
  })
}

function beginPage(): void {
  page = shownPage()
  sinceMs = Date.now()
  latest = measure()
}

function measure(): Progress {
  const scrollable = document.documentElement.scrollHeight - innerHeight
  const progress = scrollable > 0 ? Math.round((scrollY / scrollable) * 100) : 100
  return { heading: currentHeading()?.id ?? '', progress: Math.min(100, Math.max(0, progress)) }
}

function measureSoon(): void {
  clearTimeout(timer)
  const measured = page
  timer = window.setTimeout(() => {
    // Another page may have come meanwhile.
    if (page === measured && currentPath() === page?.address) latest = measure()
  }, SCROLL_PAUSE_MS)
}

function store(): void {
  if (!page || Date.now() - sinceMs < READ_MS) return
  const { address, title, library, digest } = page
  const known = savedItem('reading', address)
  if (known?.digest === digest && known.progress === latest.progress && known.heading === latest.heading) return
  saveItem('reading', address, { title, library, digest, ...latest })
}
