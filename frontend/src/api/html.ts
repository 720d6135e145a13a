// Sanitised markup from the server. It is never parsed by us, only shown.

// During server rendering a body is this marker; the finished page gets the real markup in its place.
const EDGE = '\u0002'
const MARKER = new RegExp(`^${EDGE}(\\d+)${EDGE}$`)

export class Html {
  /** The number of the body in the page it came with; undefined when it came by a call. */
  readonly slot: string | undefined
  readonly text: string

  constructor(text: string) {
    this.slot = MARKER.exec(text)?.[1]
    // The markup stands in the page already, so it does not travel twice.
    this.text = this.slot && typeof document !== 'undefined' ? adopt(this.slot) : text
  }
}

function adopt(slot: string): string {
  return document.querySelector(`[data-html="${slot}"]`)?.innerHTML ?? ''
}

function isWireHtml(value: unknown): value is { $html: string } {
  return typeof value === 'object' && value !== null && '$html' in value && typeof value.$html === 'string'
}

/** JSON of a function's answer, its markup revived. */
export function parse(json: string): unknown {
  // Looking at every value takes ten times as long as reading them, and most answers have no markup.
  if (!json.includes('"$html"')) return JSON.parse(json)
  return JSON.parse(json, (_, value: unknown) => (isWireHtml(value) ? new Html(value.$html) : value))
}
