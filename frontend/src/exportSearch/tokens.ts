// Text -> terms of the search in the browser, as `kinfolk.search.text.tokens` on the server: words without accents, identifiers whole
// and by part, names with symbols (`C++`, `.NET`) and operators (`?.`).

const PART = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g
const SYMBOLS = String.raw`!#%&*+/<=>?@^|.:\\\-`
const TOKEN = new RegExp(String.raw`[\p{L}\p{N}_$]+(?:(?:\+\+|#)(?![\p{L}\p{N}_+#]))?|\.\p{L}[\p{L}\p{N}_$]*|[${SYMBOLS}]{2,}`, 'gu')
const IS_OPERATOR = new RegExp(`^[${SYMBOLS}]+$`)
/** What is before the dot of a method or of a file's extension. */
const BEFORE_DOT = new RegExp(String.raw`[\p{L}\p{N}_.)\]${SYMBOLS}]$`, 'u')
const LONGEST_OPERATOR = 4

let letters: Readonly<Record<string, string>> = {}

/** Takes the letters that have no decomposition, such as `ß`, from the configuration of the search. */
export function setFoldedLetters(folded: Readonly<Record<string, string>>): void {
  letters = folded
}

export interface Token {
  text: string
  start: number
  isOperator: boolean
  /** The word without its symbols. */
  name: string
}

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: found, index } of text.matchAll(TOKEN)) {
    const isOperator = IS_OPERATOR.test(found)
    if (isOperator && found.length > LONGEST_OPERATOR) continue
    const isMethod = !isOperator && found.startsWith('.') && BEFORE_DOT.test(text.slice(0, index))
    const [word, start] = isMethod ? [found.slice(1), index + 1] : [found, index]
    tokens.push({ text: word, start, isOperator, name: isOperator ? '' : word.replace(/^\.|[+#]+$/g, '') })
  }
  return tokens
}

/** Every form of a token: `useQuery` also by its parts, `C++` also as `C`, an operator also without the end of its sentence. */
export function formsOf({ text, name, isOperator }: Token): string[] {
  if (isOperator) {
    const bare = text.replace(/[.:]+$/, '')
    return bare.length > 1 && bare !== text ? [text, bare] : [text]
  }
  const parts = name.match(PART) ?? []
  return [...new Set([name, text, ...(parts.length > 1 ? parts : [])])]
}

export function wordsOf(text: string): string[] {
  return tokensOf(text).flatMap(formsOf)
}

/** The words of a query, with their symbols; its operators if it has nothing else. */
export function queryWords(text: string): string[] {
  const tokens = tokensOf(text)
  const words = tokens.filter(({ isOperator }) => !isOperator)
  return (words.length > 0 ? words : tokens).map((token) => fold(token.text))
}

/** The word of a query without its symbols. */
export function withoutSymbols(word: string): string {
  return tokensOf(word)[0]?.name ?? ''
}

/** The form of a word that is compared: folded, in the singular. */
export function termOf(word: string): string {
  const folded = fold(word)
  return folded.length > 3 && folded.endsWith('s') && !folded.endsWith('ss') ? folded.slice(0, -1) : folded
}

function fold(text: string): string {
  const lower = text.toLowerCase()
  if (/^[ -~]*$/.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]/gu, (letter) => letters[letter] ?? letter)
}
