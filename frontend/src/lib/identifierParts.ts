// Where long identifiers may break.

/** Shorter words fit into a line of each place that shows names. */
const LONGEST = 15
const LONG_WORD = /[^\s-]{16,}/g
/** After signs, before a capital that follows another letter, and before the last of several capitals. */
const BREAK = /(?<=[./\\_:(<,|&=])(?=[^./\\_:(<,|&=)>])|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** The parts of a text between which it may break, besides at its blanks and hyphens: `queryClient.getMutationDefaults` -> `query`,
 *  `Client.`, `get`, `Mutation`, `Defaults`. One part if it has no long word. */
export function identifierParts(text: string): string[] {
  if (text.length <= LONGEST) return [text]
  const parts = ['']
  let end = 0
  for (const { 0: word, index } of text.matchAll(LONG_WORD)) {
    const [first = '', ...rest] = word.split(BREAK)
    parts[parts.length - 1] += text.slice(end, index) + first
    parts.push(...rest)
    end = index + word.length
  }
  parts[parts.length - 1] += text.slice(end)
  return parts
}
