// Buttons and links that mean something without React: back, try again, the choice of a framework, the width of the text.
import { NOTICE, WIDTH } from '../lib/head'
import { search } from './keys'

const MONTH_MS = 30 * 24 * 3600 * 1000

const SERVED: Record<string, (value: string, event: Event) => void> = {
  retry: tryAgain,
  goBack: returnTo,
  chooseFramework: choose,
  widthToggle: toggleWidth,
  hideNotice,
  search: (_, event) => {
    if (search()) event.preventDefault()
  },
}
const QUERY = '[data-retry], [data-go-back], [data-choose-framework], [data-width-toggle], [data-hide-notice], [data-search]'

export function serveButtons(): void {
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>(QUERY) : null
    for (const [name, value] of Object.entries(target?.dataset ?? {})) SERVED[name]?.(value ?? '', event)
  })
}

function tryAgain(): void {
  if (window.__kinfolk.app) window.__kinfolk.app.retry()
  else location.reload()
}

function returnTo(_: string, event: Event): void {
  // Without a history the link's own address is the way out.
  if (history.length < 2) return
  event.preventDefault()
  history.back()
}

function choose(framework: string, event: Event): void {
  window.__kinfolk.setFramework(framework)
  // On a page for all frameworks the choice shows at once; there is no need to leave.
  if (!location.pathname.includes('/docs/framework')) event.preventDefault()
}

function toggleWidth(): void {
  const { __kinfolk } = window
  __kinfolk.write(WIDTH, document.documentElement.dataset.width === 'wide' ? '' : 'wide')
  __kinfolk.settle()
}

function hideNotice(): void {
  const { __kinfolk } = window
  __kinfolk.write(NOTICE + location.pathname.split('/')[1], `${Date.now() + MONTH_MS}`)
  __kinfolk.settle()
  // The button that had the focus is hidden now.
  document.getElementById('content')?.focus({ preventScroll: true })
}
