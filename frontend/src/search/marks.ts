// Marks the words of a text that a search has found.
import { wordsOf } from './engine'

export interface Piece {
  text: string
  found: boolean
}

const WORD = /[\p{L}\p{N}_$]+/gu

/** The text in pieces. A word is found if it, or a part of it, is one of the matched terms. */
export function markWords(text: string, terms: readonly string[]): Piece[] {
  const known = new Set(terms)
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(WORD)) {
    if (!wordsOf(match[0]).some((word) => known.has(singular(word.toLowerCase())))) continue
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), found: false })
    pieces.push({ text: match[0], found: true })
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), found: false })
  return pieces
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
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
