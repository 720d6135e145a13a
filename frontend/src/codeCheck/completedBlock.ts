// Makes a file that parses of a code block: docs show fragments, leave out parts and show alternatives.

import ts from 'typescript-6'
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

const MEMBERS: readonly [string, string] = ['interface _$I {', '\n}']
/** What only the declaration of a member looks like: optional, or with the type of a function or a named type. */
const MEMBER = /^\s*(?:readonly )?\w+(?:\?|:\s*(?:string|number|boolean|any|unknown|void|undefined|null|Record|Partial|Array|\()|:\s*[A-Z]\w*(?:<|\[|\s*(?:$|[|&;\n])))/
const WRAPPERS: readonly (readonly [string, string])[] = [
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
  for (const [prefix, suffix] of MEMBER.test(body) ? [MEMBERS, ...WRAPPERS] : WRAPPERS) {
    const wrapped = prefix === '(' ? body.replace(/[;,]\s*$/, (end) => ' '.repeat(end.length)) : body
    const text = prefix + wrapped + suffix
    const file = parse(text)
    const fault = faults(file)[0]
    if (fault === undefined) {
      const separated = separateAlternatives(file)
      if (!separated) return { kind: 'fragment', reason: 'shows alternatives of the same names' }
      const start = prefix.length
      const end = start + wrapped.length
      return {
        kind: 'completed',
        block: {
          text: separated.text,
          original: (position) => {
            const inner = separated.original(position)
            return inner === undefined || inner < start || inner > end ? undefined : inner - start
          },
          isAbridged,
          isWhole: prefix === '',
          isMembers: prefix === MEMBERS[0],
        },
      }
    }
    firstFault ??= fault
  }
  const isProgram = /^\s*(?:import\b[^\n]*\bfrom\b|export\b)/m.test(body)
  if (!component && isProgram && !isAbridged && firstFault !== undefined) return { kind: 'syntax', position: firstFault }
  return { kind: 'fragment', reason: 'is a fragment' }
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

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

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

interface Insertion {
  at: number
  text: string
}

/** Puts statements from one that declares a name again into a block of their own, so that each alternative is checked. */
function separateAlternatives(file: ts.SourceFile): { text: string; original: (position: number) => number | undefined } | null {
  const insertions: Insertion[] = []
  let text = file.text
  let declared = new Set<string>()
  let inBlock = false
  let hoisted = ''
  const imported = new Set<string>()
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      const names = importedNames(statement)
      if (names.some((name) => imported.has(name))) {
        // The same import again: a part of the page was repeated. Another module with the same name is an alternative.
        if (!isRepeated(statement, file)) return null
        text = text.slice(0, statement.getStart()) + blank(statement.getText()) + text.slice(statement.end)
      } else if (inBlock) {
        // Only the top of a file may import: the statement moves to the end.
        text = text.slice(0, statement.getStart()) + blank(statement.getText()) + text.slice(statement.end)
        hoisted += `\n${statement.getText()}`
      }
      for (const name of names) imported.add(name)
      continue
    }
    const names = declaredNames(statement)
    if (names.some((name) => declared.has(name) || imported.has(name))) {
      insertions.push({ at: statement.getStart(), text: inBlock ? '}{' : '{' })
      declared = new Set()
      inBlock = true
    }
    if (inBlock) {
      const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
      for (const modifier of modifiers) {
        if (modifier.kind === ts.SyntaxKind.ExportKeyword || modifier.kind === ts.SyntaxKind.DefaultKeyword) {
          text = text.slice(0, modifier.getStart()) + blank(modifier.getText()) + text.slice(modifier.end)
        }
      }
      if (ts.isExportAssignment(statement) || ts.isExportDeclaration(statement)) {
        text = text.slice(0, statement.getStart()) + blank(statement.getText()) + text.slice(statement.end)
      }
    }
    for (const name of names) declared.add(name)
  }
  if (inBlock) insertions.push({ at: text.length, text: `\n}${hoisted}` })
  let made = ''
  let at = 0
  for (const insertion of insertions) {
    made += text.slice(at, insertion.at) + insertion.text
    at = insertion.at
  }
  made += text.slice(at)
  return { text: made, original: (position) => beforeInsertions(position, insertions) }
}

function beforeInsertions(position: number, insertions: readonly Insertion[]): number | undefined {
  let shift = 0
  for (const insertion of insertions) {
    if (position < insertion.at + shift) break
    if (position < insertion.at + shift + insertion.text.length) return undefined
    shift += insertion.text.length
  }
  return position - shift
}

function importedNames(statement: ts.ImportDeclaration): string[] {
  const clause = statement.importClause
  const named = clause?.namedBindings
  const others = !named ? [] : ts.isNamespaceImport(named) ? [named.name.text] : named.elements.map((one) => one.name.text)
  return [...(clause?.name ? [clause.name.text] : []), ...others]
}

/** Whether an earlier import of the file has the same names of the same module. */
function isRepeated(statement: ts.ImportDeclaration, file: ts.SourceFile): boolean {
  const names = new Set(importedNames(statement))
  const earlier = file.statements.filter(
    (other): other is ts.ImportDeclaration =>
      ts.isImportDeclaration(other) &&
      other.pos < statement.pos &&
      (other.moduleSpecifier as ts.StringLiteral).text === (statement.moduleSpecifier as ts.StringLiteral).text,
  )
  for (const other of earlier) for (const name of importedNames(other)) names.delete(name)
  return names.size === 0
}

/** Names of values and classes that a statement declares. Interfaces may be declared twice. */
export function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap((declaration) => boundNames(declaration.name))
  }
  if (ts.isFunctionDeclaration(statement)) return statement.name && statement.body ? [statement.name.text] : []
  if (ts.isClassDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isEnumDeclaration(statement)) {
    return statement.name ? [statement.name.text] : []
  }
  return []
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []))
}
