// Marks the words of a text that a search has found.
import { formsOf, termOf, tokensOf } from './tokens'

export interface Piece {
  text: string
  found: boolean
}

/** The text in pieces. A word is found if it, or a part of it, is one of the matched terms. */
export function markWords(text: string, terms: readonly string[]): Piece[] {
  const known = new Set(terms)
  const pieces: Piece[] = []
  let end = 0
  for (const token of tokensOf(text)) {
    const form = formsOf(token).findLast((one) => known.has(termOf(one)))
    if (form === undefined) continue
    // Without the symbols that did not match, as in `C` of `C++`.
    const [shown, start] = form === token.name ? [token.name, token.start + token.text.indexOf(token.name)] : [token.text, token.start]
    if (start > end) pieces.push({ text: text.slice(end, start), found: false })
    pieces.push({ text: shown, found: true })
    end = start + shown.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), found: false })
  return pieces
}

/** The words around the first match. */
export function snippet(text: string, terms: readonly string[], length: number): string {
  const pieces = markWords(text, terms)
  const isMarked = pieces.some(({ found }) => found)
  const first = pieces[0]?.found ? 0 : (pieces[0]?.text.length ?? 0)
  const start = isMarked && first > length / 3 ? text.lastIndexOf(' ', first - Math.floor(length / 3)) + 1 : 0
  const cut = text.slice(start, start + length)
  return `${start > 0 ? '…' : ''}${cut}${start + length < text.length ? '…' : ''}`
}
