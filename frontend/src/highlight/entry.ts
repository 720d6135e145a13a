// Code -> markup, for Python: the bundle is one script that V8 runs without any of a browser's things.
import { createHighlighterCoreSync } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { theme } from './kinds'
import { COLOURED, GRAMMARS, PLAIN, grammarOf } from './languages'
import { type Mark, type Token, line } from './markup'

/** What Python sends; `added` and `removed` are numbers of lines, from 0. */
interface Snippet {
  language: string
  code: string
  added: number[]
  removed: number[]
}

/** What Python gets: always markup, and the `fault` that left it without colours. */
interface Coloured {
  html: string
  fault?: string
}

// References show a member of a type alone, as in `optional maxSize: number;`, which as a statement would be a label.
const MEMBER = /^(?:(?:abstract|optional|protected|readonly|static) )*[\w$]+\??: (?:[^\n]*[^,;{\n]|[^]*;)$/

const shiki = createHighlighterCoreSync({
  themes: [theme],
  langs: [...GRAMMARS],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

/** JSON of snippets -> JSON of what became of each, in the same order. */
export function highlight(request: string): string {
  // What Python wrote a moment ago.
  const snippets = JSON.parse(request) as Snippet[]
  return JSON.stringify(snippets.map(coloured))
}

/** JSON of the words that are coloured, and of those that are plain by decision with the reason. */
export function languages(): string {
  return JSON.stringify({ coloured: COLOURED, plain: PLAIN })
}

function coloured(snippet: Snippet): Coloured {
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
  // The same code has the same colours however busy the machine is: Python limits the time, and of the whole.
  return shiki.codeToTokensBase(code, { lang: grammar, theme: theme.name, tokenizeTimeLimit: 0, ...context })
}

/** A line whose tokens are not exactly its text is shown without them. */
function markup({ code, added, removed }: Snippet, known: Token[][]): string {
  const lines = code.split('\n').map((text, number) => {
    const inLine = known[number] ?? []
    const whole = inLine.map((token) => token.content).join('') === text
    return line(whole ? inLine : [{ content: text }], mark(number, added, removed))
  })
  return lines.join('\n')
}

function mark(number: number, added: number[], removed: number[]): Mark | undefined {
  if (added.includes(number)) return 'add'
  return removed.includes(number) ? 'del' : undefined
}
