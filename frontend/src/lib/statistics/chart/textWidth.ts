// Estimated widths of texts, where nothing can measure them.

/** Characters and their widths in Inter Medium, as parts of the font size. Most system fonts are a little narrower. */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  [" !',.:;I`ijlt|", 0.31],
  ['"()/1[\\]fr{}-^_*?', 0.44],
  ['s', 0.55],
  ['&+4<=>ABCDGHKTUVXY~', 0.7],
  ['NOQw', 0.78],
  ['Mm', 0.9],
  ['%@W', 1.02],
]
const WIDTH_OF = new Map(WIDTHS.flatMap(([characters, width]) => [...characters].map((character) => [character, width] as const)))
const OTHER = 0.61
/** Characters of scripts such as Chinese, and emoji. */
const FULL = 1.1
const BOLD = 1.05
const ELLIPSIS = '…'

/** In the unit of `size`. */
export function textWidth(text: string, size: number, bold = false): number {
  let width = 0
  for (const character of text) width += WIDTH_OF.get(character) ?? (character > '\u2e7f' ? FULL : OTHER)
  return width * size * (bold ? BOLD : 1)
}

/** The text, cut where it is wider. */
export function fitText(text: string, size: number, width: number, bold = false): string {
  if (textWidth(text, size, bold) <= width) return text
  const characters = [...text]
  while (characters.length > 0 && textWidth(characters.join(''), size, bold) + size > width) characters.pop()
  return characters.join('').trimEnd() + ELLIPSIS
}
