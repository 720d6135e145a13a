import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'
import type { LineRange } from '../../lib/examples/lineRange'
import { formatLineHash, parseLineHash } from '../../lib/examples/lineRange'

/** Highlights the lines in the URL's hash, and selects lines by their numbers. */
export function useLineSelection(path: string): RefObject<HTMLPreElement | null> {
  const source = useRef<HTMLPreElement>(null)
  useEffect(() => {
    const code = source.current
    if (!code) return undefined
    const show = (move: boolean) => {
      const lines = parseLineHash(location.hash)
      highlightLines(code, lines)
      if (move && lines) code.querySelector(`#L${lines.from}`)?.scrollIntoView({ block: 'center' })
    }
    const moved = () => show(true)
    // LINES_SCRIPT has scrolled to lines that were in the URL on load.
    show(code.dataset.marked === undefined)
    code.addEventListener('click', selectLine)
    code.addEventListener('keydown', moveFocus)
    addEventListener('hashchange', moved)
    return () => {
      code.removeEventListener('click', selectLine)
      code.removeEventListener('keydown', moveFocus)
      removeEventListener('hashchange', moved)
    }
  }, [path])
  return source
}

/** A click on a number selects its line; with Shift, the range from the selected line. */
function selectLine(event: MouseEvent): void {
  const { target, currentTarget, metaKey, ctrlKey, shiftKey } = event
  const number = target instanceof HTMLAnchorElement ? parseLineHash(target.hash) : null
  if (!number || metaKey || ctrlKey || !(currentTarget instanceof HTMLElement)) return
  // The browser would scroll the line to the top.
  event.preventDefault()
  const before = shiftKey ? parseLineHash(location.hash) : null
  const lines = before ? { from: Math.min(before.from, number.from), to: Math.max(before.to, number.to) } : number
  history.replaceState(history.state, '', formatLineHash(lines))
  highlightLines(currentTarget, lines)
}

/** Arrow keys move the focus among the numbers. */
function moveFocus(event: KeyboardEvent): void {
  const { target, key } = event
  if (!(target instanceof HTMLAnchorElement)) return
  const next = adjacentLine(target, key)
  if (!(next instanceof HTMLAnchorElement)) return
  event.preventDefault()
  target.tabIndex = -1
  next.tabIndex = 0
  next.focus()
}

function adjacentLine(number: HTMLAnchorElement, key: string): Element | null {
  if (key === 'ArrowDown') return number.nextElementSibling
  return key === 'ArrowUp' ? number.previousElementSibling : null
}

function highlightLines(source: HTMLElement, lines: LineRange | null): void {
  if (!lines) {
    delete source.dataset.marked
    return
  }
  source.dataset.marked = ''
  source.style.setProperty('--from', `${lines.from}`)
  source.style.setProperty('--count', `${lines.to - lines.from + 1}`)
}
