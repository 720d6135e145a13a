// What a script adds to pages: the classes and elements that it writes.
import { parseAst } from 'vite'

export interface AddedMarkup {
  classes: Set<string>
  elements: Set<string>
}

interface AstNode {
  type: string
  [key: string]: unknown
}

/** Throws for a class name that is not written as a literal. */
export function addedMarkup(script: string): AddedMarkup {
  const added: AddedMarkup = { classes: new Set(), elements: new Set() }
  visit(parseAst(script) as unknown as AstNode, added)
  return added
}

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function visit(node: AstNode, added: AddedMarkup): void {
  collectFromText(textOf(node), added)
  COLLECT[node.type]?.(node, added)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, added)
  }
}

const COLLECT: Record<string, (node: AstNode, added: AddedMarkup) => void> = {
  Property({ key, value }, { classes }) {
    if (nameOf(key) === 'className') addWords(literal(value, 'className'), classes)
  },
  AssignmentExpression({ left, right }, { classes }) {
    if (memberOf(left) === 'className') addWords(literal(right, 'className'), classes)
  },
  CallExpression({ callee, arguments: all }, { classes, elements }) {
    const [first, ...rest] = all as unknown[]
    const name = stringOf(first)
    // `createElement`, or a function of our own around it.
    if (name !== undefined && /^[a-z][a-z0-9]*$/.test(name)) elements.add(name)
    if (!isNode(callee) || memberOf(callee.object) !== 'classList') return
    const method = memberOf(callee)
    const written = method === 'add' ? [first, ...rest] : method === 'toggle' ? [first] : []
    for (const argument of written) addWords(literal(argument, 'classList'), classes)
  },
}

function collectFromText(text: string, { classes, elements }: AddedMarkup): void {
  for (const [, names = ''] of text.matchAll(/\bclass=["']?([^"'>]*)/g)) addWords(names, classes)
  for (const [, name = ''] of text.matchAll(/<([a-z][a-z0-9]*)/g)) elements.add(name)
}

function addWords(words: string, to: Set<string>): void {
  for (const word of words.split(/\s+/)) if (word) to.add(word)
}

function literal(value: unknown, what: string): string {
  const text = stringOf(value)
  if (text === undefined) throw new Error(`${what} must be a literal, so that the build knows which rules a page needs`)
  return text
}

function stringOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined
  if (value.type === 'Literal' && typeof value.value === 'string') return value.value
  const isPlain = value.type === 'TemplateLiteral' && Array.isArray(value.expressions) && value.expressions.length === 0
  return isPlain ? textOf((value.quasis as AstNode[])[0] as AstNode) : undefined
}

/** The text of a string, or of a part of a template. */
function textOf({ type, value }: AstNode): string {
  if (type === 'Literal' && typeof value === 'string') return value
  return type === 'TemplateElement' ? (value as { raw: string }).raw : ''
}

function nameOf(key: unknown): string | undefined {
  return isNode(key) && key.type === 'Identifier' ? String(key.name) : stringOf(key)
}

function memberOf(value: unknown): string | undefined {
  return isNode(value) && value.type === 'MemberExpression' ? nameOf(value.property) : undefined
}
