// The highlighting bundle that Python runs in V8, where no browser APIs exist.
import { createHighlighterCoreSync } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { theme } from './tokenKinds'
import { GRAMMARS, HIGHLIGHTED, PLAIN, grammarOf } from './languages'
import { type Token, line } from './markup'

/** The input from Python. `line_classes` are the classes of marked lines, by 0-based number. */
interface Snippet {
  language: string
  code: string
  line_classes: Readonly<Record<number, string>>
}

/** The result for Python. `fault` is the error because of which the markup has no colors. */
interface Highlighted {
  html: string
  fault?: string
}

// API references show single members of a type, such as `optional maxSize: number;`, which parses as a labeled statement.
const MEMBER = /^(?:(?:abstract|optional|protected|readonly|static) )*[\w$]+\??: (?:[^\n]*[^,;{\n]|[^]*;)$/

const shiki = createHighlighterCoreSync({
  themes: [theme],
  langs: [...GRAMMARS],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

/** JSON of snippets -> JSON of the results, in the same order. */
export function highlight(request: string): string {
  // Python serialized the snippets in this shape.
  const snippets = JSON.parse(request) as Snippet[]
  return JSON.stringify(snippets.map(highlightSnippet))
}

/** JSON of the language names that are highlighted, and of plain languages with the reason. */
export function languages(): string {
  return JSON.stringify({ highlighted: HIGHLIGHTED, plain: PLAIN })
}

function highlightSnippet(snippet: Snippet): Highlighted {
  const grammar = grammarOf(snippet.language)
  if (!grammar) return { html: markup(snippet, []) }
  try {
    return { html: markup(snippet, tokens(snippet.code, grammar)) }
  } catch (error) {
    return { html: markup(snippet, []), fault: String(error) }
  }
}

function tokens(code: string, grammar: string): Token[][] {
  const context = /^(typescript|tsx)$/.test(grammar) && MEMBER.test(code) ? { grammarContextCode: 'interface _ {\n' } : {}
  // Shiki's time limit is off, because results must not depend on load: Python limits the time of the isComplete batch.
  return shiki.codeToTokensBase(code, { lang: grammar, theme: theme.name, tokenizeTimeLimit: 0, ...context })
}

/** A line whose tokens do not add up to its text is shown without colors. */
function markup({ code, line_classes: classes }: Snippet, tokensByLine: Token[][]): string {
  const lines = code.split('\n').map((text, number) => {
    const lineTokens = tokensByLine[number] ?? []
    const isComplete = lineTokens.map((token) => token.content).join('') === text
    return line(isComplete ? lineTokens : [{ content: text }], classes[number])
  })
  return lines.join('\n')
}
