// Sanitized HTML from the server. The frontend inserts it and never parses it.

// While the server renders, this marker stands for the HTML. Python replaces it in the finished page.
const EDGE = '\u0002'
const MARKER = new RegExp(`^${EDGE}(\\d+)${EDGE}$`)

export class Html {
  /** The number of the HTML in its page; undefined if a function call returned it. */
  readonly slot: string | undefined
  readonly text: string

  constructor(text: string) {
    this.slot = MARKER.exec(text)?.[1]
    // The document contains the HTML, so the answers in it do not repeat it.
    this.text = this.slot && typeof document !== 'undefined' ? adopt(this.slot) : text
  }
}

function adopt(slot: string): string {
  return document.querySelector(`[data-html="${slot}"]`)?.innerHTML ?? ''
}

function isWireHtml(value: unknown): value is { $html: string } {
  return typeof value === 'object' && value !== null && '$html' in value && typeof value.$html === 'string'
}

/** Parses a function's answer, with HTML as `Html`. */
export function parse(json: string): unknown {
  // A reviver takes ten times as long, and most answers have no HTML.
  if (!json.includes('"$html"')) return JSON.parse(json)
  return JSON.parse(json, (_, value: unknown) => (isWireHtml(value) ? new Html(value.$html) : value))
}
