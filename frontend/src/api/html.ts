// Sanitized HTML from the server. The frontend inserts it and never parses it.

// While the server renders, this marker stands for the HTML. Python replaces it in the finished page.
const EDGE = '\u0002'
const MARKER = new RegExp(`^${EDGE}(\\d+)${EDGE}$`)

/** For HTML that this module inserts. */
const policy = globalThis.trustedTypes?.createPolicy('html', { createHTML: (html) => html })
// What React and the router write: text without elements, scripts that are empty or data, and addresses of module scripts.
globalThis.trustedTypes?.createPolicy('default', {
  createHTML: (html) => (!html.includes('<') || html === '<script></script>' ? html : null),
  createScript: (text) => (isJson(text) ? text : null),
  createScriptURL: (url) => (new URL(url, location.href).origin === location.origin ? url : null),
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export class Html {
  /** The number of the HTML in its page; undefined if a function call returned it. */
  readonly slot: string | undefined
  readonly text: string
  /** For `dangerouslySetInnerHTML`. */
  readonly inner: { __html: string }

  constructor(text: string) {
    this.slot = MARKER.exec(text)?.[1]
    // The document contains the HTML, so the answers in it do not repeat it.
    this.text = this.slot && typeof document !== 'undefined' ? adopt(this.slot) : text
    this.inner = { __html: policy ? policy.createHTML(this.text) : this.text }
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
