import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'
import type { Lines } from '../../lib/lines'
import { hashOf, linesOf } from '../../lib/lines'

/** Keeps the lines that the address marks marked, and serves the numbers beside the code. */
export function useLines(path: string): RefObject<HTMLPreElement | null> {
  const source = useRef<HTMLPreElement>(null)
  useEffect(() => {
    const code = source.current
    if (!code) return undefined
    const show = (move: boolean) => {
      const lines = linesOf(location.hash)
      mark(code, lines)
      if (move && lines) code.querySelector(`#L${lines.from}`)?.scrollIntoView({ block: 'center' })
    }
    const moved = () => show(true)
    // Where the page came with the mark, it has been scrolled to already.
    show(code.dataset.marked === undefined)
    code.addEventListener('click', follow)
    code.addEventListener('keydown', steer)
    addEventListener('hashchange', moved)
    return () => {
      code.removeEventListener('click', follow)
      code.removeEventListener('keydown', steer)
      removeEventListener('hashchange', moved)
    }
  }, [path])
  return source
}

/** A click on a number marks its line; with Shift, all lines from the marked one. */
function follow(event: MouseEvent): void {
  const { target, currentTarget, metaKey, ctrlKey, shiftKey } = event
  const number = target instanceof HTMLAnchorElement ? linesOf(target.hash) : null
  if (!number || metaKey || ctrlKey || !(currentTarget instanceof HTMLElement)) return
  // Not by the browser, which would scroll the line away from under the pointer.
  event.preventDefault()
  const before = shiftKey ? linesOf(location.hash) : null
  const lines = before ? { from: Math.min(before.from, number.from), to: Math.max(before.to, number.to) } : number
  history.replaceState(history.state, '', hashOf(lines))
  mark(currentTarget, lines)
}

/** Arrows walk along the numbers. */
function steer(event: KeyboardEvent): void {
  const { target, key } = event
  if (!(target instanceof HTMLAnchorElement)) return
  const next = neighbour(target, key)
  if (!(next instanceof HTMLAnchorElement)) return
  event.preventDefault()
  target.tabIndex = -1
  next.tabIndex = 0
  next.focus()
}

function neighbour(number: HTMLAnchorElement, key: string): Element | null {
  if (key === 'ArrowDown') return number.nextElementSibling
  return key === 'ArrowUp' ? number.previousElementSibling : null
}

function mark(source: HTMLElement, lines: Lines | null): void {
  if (!lines) {
    delete source.dataset.marked
    return
  }
  source.dataset.marked = ''
  source.style.setProperty('--from', `${lines.from}`)
  source.style.setProperty('--count', `${lines.to - lines.from + 1}`)
}
