// The docs page in the document.
import { currentPath, docsPath } from '../lib/paths'

export interface ShownPage {
  /** Its address, without a hash: the key of what is saved about it. */
  address: string
  title: string
  library: string
  digest: string
}

/** Undefined outside of the docs. */
export function shownPage(): ShownPage | undefined {
  const digest = document.querySelector<HTMLElement>('main[data-digest]')?.dataset.digest
  if (digest === undefined || docsPath(currentPath()) === null) return undefined
  const title = document.querySelector('h1')?.textContent ?? document.title
  return { address: currentPath(), title: title.slice(0, 300), library: currentPath().split('/')[1] ?? '', digest }
}

export interface ShownHeading {
  id: string
  text: string
  element: HTMLElement
}

/** The headings of the text that are visible, in their order. */
export function shownHeadings(): ShownHeading[] {
  return [...document.querySelectorAll<HTMLElement>('.prose :is(h2, h3, h4)[id]')].flatMap((element) =>
    element.offsetParent ? [{ id: element.id, text: headingText(element), element }] : [],
  )
}

/** The text without the link and the buttons in it. */
function headingText(element: HTMLElement): string {
  const copy = element.cloneNode(true)
  if (copy instanceof HTMLElement) for (const part of copy.querySelectorAll('[aria-hidden], button, .sr-only')) part.remove()
  return (copy.textContent ?? '').replace(/^#\s*|\s*#$/g, '').trim().slice(0, 300)
}

/** The heading whose section is at the top of the window; undefined before the first. */
export function currentHeading(): ShownHeading | undefined {
  const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 32
  return shownHeadings().findLast(({ element }) => element.getBoundingClientRect().top <= line)
}
