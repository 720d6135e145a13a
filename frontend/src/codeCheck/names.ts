// Which names of a block are the library's, and which members of an API reference a block documents.

import ts from 'typescript-6'
import type { CompletedBlock } from './completedBlock.ts'
import { exportsOf } from './libraryExports.ts'
import type { NameUse, Page, SymbolEntry } from './messages.ts'
import type { OwnTypes } from './ownTypes.ts'
import type { SymbolEntries } from './symbols.ts'
import type { VirtualFiles } from './virtualFiles.ts'

/** Names of a block that are reported. A block of the docs has some dozens. */
const MOST_NAMES = 300

/** A block as a file of the program: `text` is the beginning of the file that comes from the block. */
export interface NamedFile {
  completed: CompletedBlock
  text: string
}

/** What an API reference may document: the exports of the library, and the members of its types by their names. */
export interface Documented {
  exports: ReadonlyMap<string, ts.Symbol>
  members: Members
}

/** Members of the exported types of the library by their names. */
type Members = ReadonlyMap<string, readonly { owner: string; symbol: ts.Symbol }[]>

/** The names of the library in a file, and how many of them are used beside their imports. */
export function namesOf(
  source: ts.SourceFile,
  file: NamedFile,
  own: OwnTypes,
  entries: SymbolEntries,
  known: Map<SymbolEntry, number>,
  page: Page,
  documented: () => Documented,
): { names: NameUse[]; uses: number } {
  const names: NameUse[] = []
  let uses = 0
  const visit = (node: ts.Node) => {
    if (node.getStart(source) >= file.text.length) return
    if (ts.isIdentifier(node)) {
      const symbol =
        ownSymbol(node, own) ??
        (file.completed.isMembers ? documentedMember(node, page, documented) : documentedType(node, page, documented))
      const start = symbol && file.completed.original(node.getStart(source))
      if (symbol && start !== undefined && names.length < MOST_NAMES) {
        const entry = entries.of(symbol)
        const number = known.get(entry) ?? known.size
        known.set(entry, number)
        names.push({ start, length: node.end - node.getStart(source), symbol: number })
        uses += 1
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { names: names.toSorted((a, b) => a.start - b.start), uses }
}

/** The member that a block declares, as API references do: that of the type in the page's title, or the only one of this name. */
export function documentedMember(node: ts.Identifier, page: Page, documented: () => Documented): ts.Symbol | undefined {
  const declaration = node.parent
  const isName = (ts.isPropertySignature(declaration) || ts.isMethodSignature(declaration)) && declaration.name === node
  if (!isName || !ts.isInterfaceDeclaration(declaration.parent)) return undefined
  const found = documented().members.get(node.text) ?? []
  const words = new Set(page.title.split(/\W+/))
  const titled = found.find((one) => words.has(one.owner) || words.has(`${one.owner}s`))
  return (titled ?? (found.length ? found[0] : undefined))?.symbol
}

/** The export or the option that a block declares, as API references do: `type RouteOptions = …`. */
export function documentedType(node: ts.Identifier, page: Page, documented: () => Documented): ts.Symbol | undefined {
  const declaration = node.parent
  const isName =
    (ts.isTypeAliasDeclaration(declaration) || ts.isInterfaceDeclaration(declaration) || (ts.isFunctionDeclaration(declaration) && !declaration.body)) &&
    declaration.name === node
  if (!isName || !ts.isSourceFile(declaration.parent) || !/(?:^|\/)(?:api|reference)\//.test(page.path)) return undefined
  const { exports, members } = documented()
  return exports.get(node.text) ?? members.get(node.text)?.[0]?.symbol
}

/** The symbol of the library that an identifier refers to. */
export function ownSymbol(node: ts.Identifier, own: OwnTypes): ts.Symbol | undefined {
  const found = symbolAt(node, own.checker)
  const symbol = found && found.flags & ts.SymbolFlags.Alias ? own.checker.getAliasedSymbol(found) : found
  return symbol && own.packageOf(symbol) && !(symbol.flags & ts.SymbolFlags.TypeParameter) ? symbol : undefined
}

/** The symbol of a name: for options, elements of patterns and attributes that of the type which has them. */
function symbolAt(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const parent = node.parent
  if (isOptionName(node)) {
    const type = checker.getContextualType(parent.parent as ts.ObjectLiteralExpression)
    const option = type && propertyOf(type, node.text, checker)
    return option ?? (ts.isShorthandPropertyAssignment(parent) ? checker.getShorthandAssignmentValueSymbol(parent) : undefined)
  }
  if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent) && (parent.propertyName ?? parent.name) === node) {
    return propertyOf(checker.getTypeAtLocation(parent.parent), node.text, checker)
  }
  if (ts.isJsxAttribute(parent) && parent.name === node) {
    const type = checker.getContextualType(parent.parent)
    return type && propertyOf(type, node.text, checker)
  }
  return checker.getSymbolAtLocation(node)
}

function isOptionName(node: ts.Identifier): boolean {
  const parent = node.parent
  const isProperty = ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent) || ts.isMethodDeclaration(parent)
  return isProperty && parent.name === node && ts.isObjectLiteralExpression(parent.parent)
}

export function propertyOf(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Symbol | undefined {
  const whole = checker.getNonNullableType(type)
  for (const part of whole.isUnion() ? whole.types : [whole]) {
    const found = checker.getPropertyOfType(part, name)
    if (found) return found
  }
  return undefined
}

/** The members in the declarations of an interface, a class or a type alias of an object. */
function declaredMembers(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] {
  return (symbol.declarations ?? []).flatMap((declaration) => {
    const body = ts.isTypeAliasDeclaration(declaration) ? declaration.type : declaration
    if (!ts.isInterfaceDeclaration(body) && !ts.isClassDeclaration(body) && !ts.isTypeLiteralNode(body)) return []
    return body.members.flatMap((member: ts.TypeElement | ts.ClassElement) => {
      const found = member.name && checker.getSymbolAtLocation(member.name)
      return found ? [found] : []
    })
  })
}

/** What API references may document of these modules. */
export function documentedBy(modules: Iterable<string>, program: ts.Program, files: VirtualFiles, own: OwnTypes): Documented {
  const exports = new Map<string, ts.Symbol>()
  const members = new Map<string, { owner: string; symbol: ts.Symbol }[]>()
  for (const module of modules) {
    for (const [name, symbol] of exportsOf(module, program, files)) {
      if (own.packageOf(symbol) && !exports.has(name)) exports.set(name, symbol)
      // Only declared members: those that a type inherits are of another one, and computing them takes seconds.
      for (const member of declaredMembers(symbol, own.checker).filter((one) => own.packageOf(one))) {
        const same = members.get(member.name) ?? []
        if (!same.some((one) => one.owner === name)) members.set(member.name, [...same, { owner: name, symbol: member }])
      }
    }
  }
  return { exports, members }
}
