// Marks the heading in the table of contents whose section is at the top of the window.

// A section counts as reached when its heading is this far below the top bar.
const AHEAD_PX = 32

interface TocEntry {
  heading: HTMLElement
  link: HTMLAnchorElement
}

let entries: TocEntry[] = []
let current: HTMLAnchorElement | undefined
let isScheduled = false

/** Reads the table of contents of the current page. */
export function collectHeadings(): void {
  // A visit may have turned the marked link into another one.
  current?.removeAttribute('aria-current')
  current = undefined
  entries = [...document.querySelectorAll<HTMLAnchorElement>('.toc a')].flatMap((link) => {
    const heading = window.__kinfolk.findHashTarget(link.hash)
    return heading ? [{ heading, link }] : []
  })
  markCurrent()
}

export function highlightHeading(): void {
  addEventListener('scroll', scheduleMark, { passive: true })
  addEventListener('resize', scheduleMark, { passive: true })
}

function scheduleMark(): void {
  if (isScheduled) return
  isScheduled = true
  requestAnimationFrame(() => {
    isScheduled = false
    markCurrent()
  })
}

function markCurrent(): void {
  const link = currentEntry()?.link
  if (link === current) return
  // Measured before any change: afterwards it would cost a layout.
  if (link) scrollIntoToc(link)
  current?.removeAttribute('aria-current')
  current = link
  link?.setAttribute('aria-current', 'location')
  const title = document.querySelector('[data-reading]')
  if (title) title.textContent = link?.textContent ?? ''
}

/** The last section that starts above the line; at the end of the page the last one. */
function currentEntry(): TocEntry | undefined {
  if (!entries.length) return undefined
  // Panels of other frameworks are hidden.
  const shown = entries.filter(({ heading }) => heading.offsetParent)
  const root = document.documentElement
  if (scrollY > 0 && scrollY + innerHeight >= root.scrollHeight - 2) return shown.at(-1)
  const line = Number.parseFloat(getComputedStyle(root).scrollPaddingTop) + AHEAD_PX
  return shown.findLast(({ heading }) => heading.getBoundingClientRect().top <= line) ?? shown[0]
}

/** Scrolls the table of contents, never the page. */
function scrollIntoToc(link: HTMLAnchorElement): void {
  const box = link.closest('.toc')
  if (!box) return
  const { top, bottom } = link.getBoundingClientRect()
  const frame = box.getBoundingClientRect()
  if (top < frame.top + AHEAD_PX) box.scrollTop += top - frame.top - AHEAD_PX
  else if (bottom > frame.bottom - AHEAD_PX) box.scrollTop += bottom - frame.bottom + AHEAD_PX
}
