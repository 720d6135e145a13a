// Tokens -> the markup inside a `<code>`.
import { kindOf } from './tokenKinds'

export interface Token {
  content: string
  color?: string
}

interface Run {
  kind: string
  text: string
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;', '\0': '\uFFFD' }

export function escape(text: string): string {
  // oxlint-disable-next-line no-control-regex -- HTML does not allow this control character
  return text.replace(/[&<>\r\0]/g, (sign) => ESCAPES[sign] ?? sign)
}

/** The element of a line. Line breaks are between the elements, so that the text of the markup equals the code. */
export function line(tokens: readonly Token[], mark?: string): string {
  const inner = runs(tokens).map(({ kind, text }) => (kind ? `<span class="${kind}">${escape(text)}</span>` : escape(text)))
  return `<span class="line${mark ? ` ${mark}` : ''}">${inner.join('')}</span>`
}

/** Merges consecutive tokens of one kind, including blanks, which have no color. */
function runs(tokens: readonly Token[]): Run[] {
  const merged: Run[] = []
  let blanks = ''
  for (const { content: whole, color } of tokens) {
    const content = whole.trimStart()
    blanks += whole.slice(0, whole.length - content.length)
    if (!content) continue
    const kind = kindOf(color)
    const last = merged.at(-1)
    if (last?.kind === kind) {
      last.text += blanks + content
    } else if (kind && last && !last.kind) {
      last.text += blanks
      merged.push({ kind, text: content })
    } else {
      if (blanks && kind) merged.push({ kind: '', text: blanks })
      merged.push({ kind, text: kind ? content : blanks + content })
    }
    blanks = ''
  }
  if (blanks) merged.push({ kind: '', text: blanks })
  return merged
}
