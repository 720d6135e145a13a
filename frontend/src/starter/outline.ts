// Marks in the outline which part of the page is being read.
import { namedBy } from '../lib/hash'

// A heading counts as reached a little before it touches the bar.
const AHEAD_PX = 32

interface Part {
  heading: HTMLElement
  link: HTMLAnchorElement
}

let parts: Part[] = []
let current: HTMLAnchorElement | undefined
let waiting = false

/** Looks for the outline of the page that stands there now. */
export function readOutline(): void {
  parts = [...document.querySelectorAll<HTMLAnchorElement>('.toc a')].flatMap((link) => {
    const heading = namedBy(link.hash)
    return heading ? [{ heading, link }] : []
  })
  mark()
}

export function followReading(): void {
  addEventListener('scroll', soon, { passive: true })
  addEventListener('resize', soon, { passive: true })
}

function soon(): void {
  if (waiting) return
  waiting = true
  requestAnimationFrame(() => {
    waiting = false
    mark()
  })
}

function mark(): void {
  const link = reading()?.link
  if (link === current) return
  // What is measured comes first: after a change it would cost a layout.
  if (link) showIn(link)
  current?.removeAttribute('aria-current')
  current = link
  link?.setAttribute('aria-current', 'location')
  const title = document.querySelector('[data-reading]')
  if (title) title.textContent = link?.textContent ?? ''
}

/** The last part that began above the line of sight; at the very end of the page its last part. */
function reading(): Part | undefined {
  if (!parts.length) return undefined
  // Panels of other frameworks are not there for the reader.
  const shown = parts.filter(({ heading }) => heading.offsetParent)
  const root = document.documentElement
  if (scrollY > 0 && scrollY + innerHeight >= root.scrollHeight - 2) return shown.at(-1)
  const line = Number.parseFloat(getComputedStyle(root).scrollPaddingTop) + AHEAD_PX
  return shown.findLast(({ heading }) => heading.getBoundingClientRect().top <= line) ?? shown[0]
}

/** Scrolls the outline, never the page. */
function showIn(link: HTMLAnchorElement): void {
  const box = link.closest('.toc')
  if (!box) return
  const { top, bottom } = link.getBoundingClientRect()
  const frame = box.getBoundingClientRect()
  if (top < frame.top + AHEAD_PX) box.scrollTop += top - frame.top - AHEAD_PX
  else if (bottom > frame.bottom - AHEAD_PX) box.scrollTop += bottom - frame.bottom + AHEAD_PX
}
