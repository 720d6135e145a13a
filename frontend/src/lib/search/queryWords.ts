// The words of a query, and whether it has any.

/** A digit in a box is an emoji. */
const KEYCAP = /[0-9#*]\uFE0F?\u20E3/gu
/** A letter, a digit, or what names and operators of code consist of: the words that an index has. */
const WORD = /[\p{L}\p{N}_$]|[!#%&*+/<=>?@^|.:\\-]{2}/u

/** Whether a query can find anything. Blanks, emoji and single punctuation marks cannot. */
export function hasWords(query: string): boolean {
  return WORD.test(query.replace(KEYCAP, ''))
}

/** The words of a query as the server names them in hits, without those that say nothing about a page. */
export function searchedWords(query: string, ignored: readonly string[]): string[] {
  const folded = query.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
  const words = (folded.match(/[\p{L}\p{N}_$]+/gu) ?? []).map((word) => word.replace(/^_+|_+$/g, ''))
  return [...new Set(words)].filter((word) => word !== '' && !ignored.includes(word))
}
