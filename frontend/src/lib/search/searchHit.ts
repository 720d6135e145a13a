// A section of a page that a search found.
import type { TextFragment } from '../../api/generated'

/** A text of a hit, with the matches between `HIGHLIGHT_TAGS`. */
export interface HighlightedText {
  value: string
  /** Words of the query that the text has, in lower case. */
  matchedWords?: readonly string[]
}

/** As the server sends it. */
export interface SectionHit {
  objectID: string
  url: string
  /** Several for a post, none for a page of the site. */
  library: string | string[]
  version: string[]
  /** Frameworks whose readers the section is for. */
  framework: string[]
  /** Frameworks that the section is about; none if it is the same for all. */
  about?: string[]
  kind: string
  hierarchy: Record<string, string | null>
  /** Lines about a deprecated section and a deprecated page. */
  deprecated?: string
  deprecated_page?: string
  _highlightResult?: { hierarchy?: Record<string, HighlightedText> }
  /** Of the first hit, the answer to the query. Hosted searches send none. */
  _snippetResult?: { content?: HighlightedText; answer?: { text?: HighlightedText; code?: HighlightedText } }
}

export interface SearchHit extends SectionHit {
  /** In the answer that has it, counted from one. */
  position: number
  /** Names that answer in events. */
  queryId: string | undefined
}

export const HIGHLIGHT_TAGS = { pre: '__ais-highlight__', post: '__/ais-highlight__' }

/** The pieces of a highlighted text, of which the found ones match. */
export function readHighlights(text: HighlightedText | undefined): TextFragment[] {
  if (!text) return []
  const [start = '', ...parts] = text.value.split(HIGHLIGHT_TAGS.pre)
  const pieces = parts.flatMap((part) => {
    const [match = '', rest = ''] = part.split(HIGHLIGHT_TAGS.post)
    return [
      { text: match, found: true },
      { text: rest, found: false },
    ]
  })
  return [{ text: start, found: false }, ...pieces].filter(({ text: piece }) => piece !== '')
}
