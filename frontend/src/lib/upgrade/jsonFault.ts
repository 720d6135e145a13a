// Finds the first error in a text that is no JSON. Only some engines say where it is, each in words of its own.

type Expected = 'value' | 'first item' | 'first key' | 'key' | 'colon' | 'after item' | 'after member' | 'end'

/** What a token does: it leads to another expected, opens or closes a list or an object, or is a whole value. */
type Effect = Expected | 'open' | 'close' | 'done'

const VALUE: Record<string, Effect> = { '{': 'open', '[': 'open', string: 'done', other: 'done' }
const EFFECTS: Record<Expected, Record<string, Effect>> = {
  value: VALUE,
  'first item': { ...VALUE, ']': 'close' },
  'first key': { string: 'colon', '}': 'close' },
  key: { string: 'colon' },
  colon: { ':': 'value' },
  'after item': { ',': 'value', ']': 'close' },
  'after member': { ',': 'key', '}': 'close' },
  end: {},
}

const SPACE = /[ \t\r\n]*/y
const TOKEN =
  /([{}[\]:,])|("(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** The line, counted from 1, of the first error. The text must be no JSON. */
export function findJsonFault(text: string): number {
  const open: string[] = []
  let expected: Expected = 'value'
  let index = 0
  for (;;) {
    index = endOf(SPACE, text, index)
    TOKEN.lastIndex = index
    const found = TOKEN.exec(text)
    const token = found ? (found[1] ?? (found[2] ? 'string' : 'other')) : ''
    const effect = EFFECTS[expected][token]
    if (!effect) return text.slice(0, index).split('\n').length
    index = TOKEN.lastIndex
    if (effect === 'open') open.push(token)
    if (effect === 'close') open.pop()
    expected = expectedAfter(effect, open)
  }
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  pattern.test(text)
  return pattern.lastIndex
}

function expectedAfter(effect: Effect, open: string[]): Expected {
  const isObject = open.at(-1) === '{'
  if (effect === 'open') return isObject ? 'first key' : 'first item'
  if (effect !== 'close' && effect !== 'done') return effect
  if (open.length === 0) return 'end'
  return isObject ? 'after member' : 'after item'
}
