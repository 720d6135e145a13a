// Finds the names of a block in its elements. Links are there already; other names become elements. The text stays the same.
import type { CodeNames, CodeSymbol } from '../api/generated'
import { element } from '../reader/elements'

/** The elements of names. */
export const NAME = 'a.symbol, .code-name'

interface KnownName {
  symbol: CodeSymbol
  /** The names in the same block. */
  block: CodeNames
}

const known = new WeakMap<Element, KnownName>()

/** What is known about the name of an element; undefined before its block is prepared. */
export function nameOf(target: Element): KnownName | undefined {
  return known.get(target)
}

export function wrapNames(code: HTMLElement, block: CodeNames): void {
  // The page is older than the answer.
  if ((code.textContent ?? '').length !== block.length) return
  let at = 0
  // Collected before the tree changes.
  for (const text of textsOf(code)) {
    const start = at
    at += text.length
    wrapIn(text, start, block)
  }
  makeReachable(code)
}

function textsOf(code: HTMLElement): Text[] {
  const texts: Text[] = []
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  // The walker shows text nodes only.
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts
}

/** Makes elements of the names, or parts of names, in a text that begins at a position of the code. */
function wrapIn(text: Text, start: number, block: CodeNames): void {
  const end = start + text.length
  let rest = text
  let restStart = start
  for (const { start: first, length, symbol: index } of block.names) {
    const symbol = block.symbols[index]
    const [from, to] = [Math.max(first, start), Math.min(first + length, end)]
    if (from >= to || !symbol) continue
    const part = from > restStart ? rest.splitText(from - restStart) : rest
    if (to < end) rest = part.splitText(to - from)
    restStart = to
    known.set(elementOf(part, from === first), { symbol, block })
  }
}

function elementOf(part: Text, isStart: boolean): Element {
  const link = part.parentElement?.closest('a.symbol')
  if (link) return link
  const name = element('span', { className: 'code-name' })
  // One button for a name that several elements share.
  if (isStart) {
    name.role = 'button'
    name.tabIndex = -1
    name.ariaHasPopup = 'dialog'
  }
  part.replaceWith(name)
  name.append(part)
  return name
}

/** One of the names is a Tab stop. Arrow keys move to the others. */
function makeReachable(code: HTMLElement): void {
  if (code.querySelector('a.symbol')) return
  const first = code.querySelector<HTMLElement>('.code-name')
  if (first) first.tabIndex = 0
}

/** The names of a block that can have the focus, in their order. */
export function focusableNames(code: Element): HTMLElement[] {
  return [...code.querySelectorAll<HTMLElement>('a.symbol, .code-name[role]')]
}
