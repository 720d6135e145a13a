// Makes a file that parses of a code block: docs show fragments, leave out parts and show alternatives.

import ts from 'typescript-6'
import { blank, separateAlternatives } from './alternatives.ts'
import type { Block } from './messages.ts'

/** A code block as a file. */
export interface CompletedBlock {
  text: string
  /** The position in the block of a position in the file; undefined for text that was added. */
  original: (position: number) => number | undefined
  /** Whether the author left something out: then nothing is reported as missing. */
  isAbridged: boolean
  /** Whether the block is complete statements, and was not wrapped. */
  isWhole: boolean
  /** Whether the block is members of a type: `getValue: () => string`. */
  isMembers: boolean
}

export type Completion = { kind: 'completed'; block: CompletedBlock } | { kind: 'fragment'; reason: string } | { kind: 'syntax'; position: number }

/** Stands for what the author left out in the place of a value or a type. As long as `...`. */
export const LEFT_OUT = '_$_'

const SCRIPT = /<script\b[^>]*>([\s\S]*?)<\/script>/g
const TYPESCRIPT = new Set(['ts', 'tsx', 'typescript', 'mts', 'cts', 'angular-ts'])
const JAVASCRIPT = new Set(['js', 'jsx', 'javascript', 'mjs', 'cjs'])
const COMPONENT = new Set(['vue', 'svelte', 'astro'])
/** Whether the checker reads blocks of this language. */
export const isChecked = (language: string) =>
  TYPESCRIPT.has(language) || JAVASCRIPT.has(language) || COMPONENT.has(language)

/** Strings, comments, regular expressions and what stands for left out code. */
const PARTS = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\.{3,}|…/g
const ABRIDGED_COMMENT = /\.{3}|…|\betc\b|\bother\b|\brest of\b|\bomitted\b/i
const VALUE_FOLLOWS = /(?:[=:?&|+<]|=>|\breturn|\bawait|\btypeof|\bextends)\s*$/

const MEMBERS: Wrapper = ['interface _$I {', '\n}']
/** What only the declaration of a member looks like: optional, or with the type of a function or a named type. */
const MEMBER = /^\s*(?:readonly )?\w+(?:\?|:\s*(?:string|number|boolean|any|unknown|void|undefined|null|Record|Partial|Array|\()|:\s*[A-Z]\w*(?:<|\[|\s*(?:$|[|&;\n])))/
const WRAPPERS: readonly Wrapper[] = [
  ['', ''],
  ['(', '\n)'],
  ['({', '\n})'],
  ['class _$C {', '\n}'],
  ['<>', '\n</>'],
]

/** The file of a block. A `fragment` cannot be completed; with `syntax`, complete code does not parse at a position. */
export function complete(block: Block): Completion {
  const { body, isAbridged } = withoutLeftOut(withoutRemovedLines(scriptOnly(block), block.removed))
  const component = isComponent(block)
  if (!body.trim()) return { kind: 'fragment', reason: component ? 'has no script' : 'is empty' }
  let firstFault: number | undefined
  for (const wrapper of MEMBER.test(body) ? [MEMBERS, ...WRAPPERS] : WRAPPERS) {
    const made = wrapped(body, wrapper)
    if (made.fault === undefined) return completed(made, wrapper, isAbridged)
    firstFault ??= made.fault
  }
  const isProgram = !component && !isAbridged && /^\s*(?:import\b[^\n]*\bfrom\b|export\b)/m.test(body)
  return isProgram && firstFault !== undefined ? { kind: 'syntax', position: firstFault } : { kind: 'fragment', reason: 'is a fragment' }
}

type Wrapper = readonly [string, string]

interface Wrapped {
  file: ts.SourceFile
  fault: number | undefined
  start: number
  end: number
}

function wrapped(body: string, [prefix, suffix]: Wrapper): Wrapped {
  const inner = prefix === '(' ? body.replace(/[;,]\s*$/, (end) => ' '.repeat(end.length)) : body
  const file = parse(prefix + inner + suffix)
  return { file, fault: faults(file)[0], start: prefix.length, end: prefix.length + inner.length }
}

function completed({ file, start, end }: Wrapped, wrapper: Wrapper, isAbridged: boolean): Completion {
  const separated = separateAlternatives(file)
  if (!separated) return { kind: 'fragment', reason: 'shows alternatives of the same names' }
  return {
    kind: 'completed',
    block: {
      text: separated.text,
      original: (position) => {
        const inner = separated.original(position)
        return inner === undefined || inner < start || inner > end ? undefined : inner - start
      },
      isAbridged,
      isWhole: wrapper[0] === '',
      isMembers: wrapper === MEMBERS,
    },
  }
}

export function parse(text: string, path = '/block.tsx'): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
}

/** Positions of syntax errors. The parser reports them in a property that is not in its types. */
function faults(file: ts.SourceFile): number[] {
  const found = (file as unknown as { parseDiagnostics: ts.Diagnostic[] }).parseDiagnostics
  return found.map((diagnostic) => diagnostic.start ?? 0)
}

/** Whether a block is a component of Vue or Svelte, also one in the language of its script. */
const isComponent = (block: Block) => COMPONENT.has(block.language) || /^\s*<(?:template|script)\b/m.test(block.code)

/** Only the scripts of a component; all other text becomes spaces, so that positions stay. */
function scriptOnly(block: Block): string {
  if (!isComponent(block)) return block.code
  if (!block.code.includes('<script')) return blank(block.code)
  let text = ''
  let at = 0
  for (const found of block.code.matchAll(SCRIPT)) {
    const script = found[1] ?? ''
    const start = found.index + found[0].indexOf('>') + 1
    text += blank(block.code.slice(at, start)) + script
    at = start + script.length
  }
  return text + blank(block.code.slice(at))
}

function withoutRemovedLines(code: string, removed: readonly number[]): string {
  if (!removed.length) return code
  const lines = code.split('\n')
  for (const number of removed) lines[number] = blank(lines[number] ?? '')
  return lines.join('\n')
}

/** Replaces `...` by spaces, or by a name where a value or a type must follow. */
function withoutLeftOut(code: string): { body: string; isAbridged: boolean } {
  let isAbridged = false
  const body = code.replace(PARTS, (part, at: number) => {
    if (part.startsWith('//') || part.startsWith('/*')) {
      isAbridged ||= ABRIDGED_COMMENT.test(part)
      return part
    }
    if (!part.startsWith('.') && part !== '…') return part
    const after = code.slice(at + part.length)
    // A spread or a rest parameter. A comment after `...` says what is left out.
    if (part !== '…' && /^\s*(?:[\w$([{'"`]|\/\*[\s\S]*?\*\/\s*[\w$([{])/.test(after) && !/^\s*\n/.test(after)) return part
    isAbridged = true
    if (part === '…') return ' '
    return VALUE_FOLLOWS.test(code.slice(0, at)) ? LEFT_OUT.padEnd(part.length) : ' '.repeat(part.length)
  })
  return { body, isAbridged }
}
