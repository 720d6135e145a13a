// Whether the hits of other libraries come before those of the chosen ones.
import type { HighlightedText, SearchHit } from './searchHit'
import { readHighlights } from './searchHit'

/** Hits that a reader sees without scrolling. */
const SEEN = 5
/** From so many words on, headings may lack one. */
const LONG_QUERY = 3

type HighlightedHit = Pick<SearchHit, '_highlightResult' | '_snippetResult' | 'framework'>

/**
 * Whether another library has a heading or a symbol where the chosen ones have at most prose: a hit of it has every word of the
 * query in its headings, and those of the chosen libraries lack one. A common word in their prose is enough for them. Of a long
 * query the headings may lack one word if those of the chosen libraries have none.
 */
export function isClearlyBetter(words: readonly string[], own: readonly HighlightedHit[], others: readonly HighlightedHit[]): boolean {
  if (words.length === 0 || others.length === 0) return false
  if (own.length === 0) return true
  const seen = own.slice(0, SEEN)
  const missing = fewestMissing(words, others, (hit) => completeWords(words, hit))
  const missingInOwn = fewestMissing(words, seen, foundWords)
  if (missing > 0) return words.length >= LONG_QUERY && missing === 1 && missingInOwn === words.length
  if (missingInOwn === 0) return false
  return words.length > 1 || others.some((hit) => isOfNamedLibrary(hit) || hasSymbol(hit)) || !seen.some(isInProse)
}

/** The number of words that the best hit lacks. */
function fewestMissing(words: readonly string[], hits: readonly HighlightedHit[], wordsOf: (hit: HighlightedHit) => Iterable<string>): number {
  return Math.min(
    ...hits.map((hit) => {
      const found = new Set([...wordsOf(hit), ...hit.framework])
      return words.filter((word) => !found.has(word)).length
    }),
  )
}

/** The headings of a hit, and the name of its library. */
function headings({ _highlightResult }: HighlightedHit): HighlightedText[] {
  return Object.values(_highlightResult?.hierarchy ?? {})
}

/** The words of the query in the headings. */
function foundWords(hit: HighlightedHit): string[] {
  return headings(hit).flatMap(({ matchedWords = [] }) => matchedWords)
}

/** The same without the word that the reader is typing, where a heading only begins with it. */
function completeWords(words: readonly string[], hit: HighlightedHit): string[] {
  const typed = words.at(-1)
  return headings(hit).flatMap((heading) => {
    const { matchedWords = [] } = heading
    return endsWithinWord(heading) ? matchedWords.filter((word) => word !== typed) : matchedWords
  })
}

function endsWithinWord(heading: HighlightedText): boolean {
  const pieces = readHighlights(heading)
  return pieces.some(({ text, found }, at) => {
    const rest = pieces[at + 1]?.text ?? ''
    // `Form` is a word of `useFormGroup`, and `useForm` is the beginning of one.
    return found && (isSymbol(text) ? /^[\p{L}\p{N}]/u : /^[\p{Ll}\p{N}]/u).test(rest)
  })
}

function isSymbol(text: string): boolean {
  return /[\p{Ll}\p{N}]\p{Lu}|[_$]/u.test(text)
}

/** Whether a heading has the word as a symbol, such as `useForm`. */
function hasSymbol(hit: HighlightedHit): boolean {
  return headings(hit).some((heading) => !endsWithinWord(heading) && readHighlights(heading).some(({ text, found }) => found && isSymbol(text)))
}

function isOfNamedLibrary({ _highlightResult }: HighlightedHit): boolean {
  return Boolean(_highlightResult?.hierarchy?.['lvl0']?.matchedWords?.length)
}

function isInProse({ _snippetResult }: HighlightedHit): boolean {
  return readHighlights(_snippetResult?.content).some(({ found }) => found)
}
