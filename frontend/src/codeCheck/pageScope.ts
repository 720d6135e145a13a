// Which names of a block its page, the packages or no code defines.

import ts from 'typescript-6'
import { declaredNames } from './completedBlock.ts'

/** An import of one name: `imported` is `default`, `*` or an export of the module. */
export interface ImportedName {
  module: string
  imported: string
  isType: boolean
}

/** The names at the top of a file. */
export interface FileScope {
  declared: Set<string>
  imports: Map<string, ImportedName>
  /** Whether the file adds members to interfaces of packages. */
  augments: boolean
  /** Members of its own types. An augmentation may extend an interface that is declared beside it or in another block. */
  members: Set<string>
}

export function scopeOf(file: ts.SourceFile): FileScope {
  const augments = file.statements.some(isAugmentation)
  const scope: FileScope = { declared: new Set(), imports: new Map(), augments, members: new Set() }
  for (const statement of file.statements) {
    if (isPlaceholderImport(statement)) continue
    if (ts.isImportDeclaration(statement)) {
      addImports(statement, scope.imports)
      continue
    }
    for (const name of declaredNames(statement)) scope.declared.add(name)
    if (ts.isInterfaceDeclaration(statement)) scope.declared.add(statement.name.text)
    if (isAugmentation(statement) || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
      collectMembers(statement, scope.members)
    }
  }
  return scope
}

/** An import of a package that the reader is to choose: `@tanstack/[adapter]-table`. */
export function isPlaceholderImport(statement: ts.Statement): boolean {
  return ts.isImportDeclaration(statement) && /[[<{]/.test((statement.moduleSpecifier as ts.StringLiteral).text ?? '')
}

/** `declare module 'a' {}` and `declare global {}`. They would change the types of all other pages. */
export function isAugmentation(statement: ts.Statement): statement is ts.ModuleDeclaration {
  return ts.isModuleDeclaration(statement) && (ts.isStringLiteral(statement.name) || statement.name.text === 'global')
}

function collectMembers(node: ts.Node, found: Set<string>): void {
  if ((ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isInterfaceDeclaration(node)) && node.name) {
    found.add(node.name.getText())
  }
  ts.forEachChild(node, (child) => collectMembers(child, found))
}

function addImports(statement: ts.ImportDeclaration, found: Map<string, ImportedName>): void {
  if (!ts.isStringLiteral(statement.moduleSpecifier)) return
  const module = statement.moduleSpecifier.text
  const clause = statement.importClause
  if (!clause) return
  const isType = clause.isTypeOnly
  if (clause.name) found.set(clause.name.text, { module, imported: 'default', isType })
  const named = clause.namedBindings
  if (named && ts.isNamespaceImport(named)) found.set(named.name.text, { module, imported: '*', isType })
  if (named && ts.isNamedImports(named)) {
    for (const one of named.elements) {
      const imported = (one.propertyName ?? one.name).text
      found.set(one.name.text, { module, imported, isType: isType || one.isTypeOnly })
    }
  }
}

/** The import statement of a name. */
export function importStatement(local: string, { module, imported, isType }: ImportedName): string {
  const type = isType ? 'type ' : ''
  if (imported === 'default') return `import ${type}${local} from '${module}'`
  if (imported === '*') return `import ${type}* as ${local} from '${module}'`
  return `import ${type}{ ${imported === local ? local : `${imported} as ${local}`} } from '${module}'`
}

/** One statement for each module. */
export function importStatements(names: ReadonlyMap<string, ImportedName>): string[] {
  const grouped = new Map<string, string[]>()
  const others: string[] = []
  for (const [local, one] of names) {
    if (one.imported === 'default' || one.imported === '*') {
      others.push(importStatement(local, one))
      continue
    }
    const written = `${one.isType ? 'type ' : ''}${one.imported === local ? local : `${one.imported} as ${local}`}`
    grouped.set(one.module, [...(grouped.get(one.module) ?? []), written])
  }
  return [...others, ...[...grouped].map(([module, names]) => `import { ${names.join(', ')} } from '${module}'`)]
}

export type Meaning = 'value' | 'type' | 'namespace' | 'made' | 'element'

/** The names of a file that nothing in it declares, with what they are used as. Names of the language and of the browser
 * count as free unless `isLanguage` knows them: a page's own `Comment` comes before that of the DOM. */
export function freeNames(file: ts.SourceFile, checker: ts.TypeChecker): Map<string, Set<Meaning>> {
  const found = new Map<string, Set<Meaning>>()
  // `resolveName` is not in the types of the compiler.
  const resolver = checker as unknown as {
    resolveName: (name: string, location: ts.Node, meaning: ts.SymbolFlags, excludeGlobals: boolean) => ts.Symbol | undefined
  }
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) {
      const meaning = meaningOf(node)
      if (meaning && !resolver.resolveName(node.text, node, FLAGS[meaning], true)) {
        const known = found.get(node.text)
        if (known) known.add(meaning)
        else found.set(node.text, new Set([meaning]))
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const FLAGS: Record<Meaning, ts.SymbolFlags> = {
  made: ts.SymbolFlags.Value,
  element: ts.SymbolFlags.Value,
  value: ts.SymbolFlags.Value,
  type: ts.SymbolFlags.Type,
  namespace: ts.SymbolFlags.Namespace,
}

/** What an identifier refers to; undefined for names of declarations, properties and attributes. */
function meaningOf(node: ts.Identifier): Meaning | undefined {
  const parent = node.parent
  if (!node.text || node.text === 'undefined' || node.text === 'arguments') return undefined
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node ? 'value' : undefined
  if (ts.isQualifiedName(parent)) return parent.left === node ? (isInTypeQuery(parent) ? 'value' : 'namespace') : undefined
  if (ts.isTypeReferenceNode(parent)) return 'type'
  if (ts.isNewExpression(parent) && parent.expression === node) return 'made'
  if (ts.isTypeQueryNode(parent)) return 'value'
  if (ts.isExpressionWithTypeArguments(parent)) return ts.isInterfaceDeclaration(parent.parent.parent) ? 'type' : 'value'
  if (ts.isShorthandPropertyAssignment(parent)) return parent.name === node ? 'value' : undefined
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node ? 'value' : undefined
  if (ts.isBindingElement(parent)) return parent.initializer === node ? 'value' : undefined
  if (ts.isExportSpecifier(parent)) {
    const source = parent.parent.parent.moduleSpecifier
    return source || (parent.propertyName && parent.name === node) ? undefined : 'value'
  }
  if (ts.isJsxAttribute(parent) || ts.isImportSpecifier(parent) || ts.isImportClause(parent)) return undefined
  if (ts.isNamespaceImport(parent) || ts.isJsxNamespacedName(parent) || ts.isMetaProperty(parent)) return undefined
  if (ts.isJsxOpeningElement(parent) || ts.isJsxSelfClosingElement(parent) || ts.isJsxClosingElement(parent)) {
    return /^[a-z]/.test(node.text) ? undefined : 'element'
  }
  if (ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)) return undefined
  if (ts.isNamedTupleMember(parent) || ts.isTypePredicateNode(parent)) return undefined
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isPropertyDeclaration(parent)) {
    return parent.initializer === node ? 'value' : undefined
  }
  if (ts.isEnumMember(parent)) return parent.initializer === node ? 'value' : undefined
  if (isNamed(parent) && parent.name === node) return undefined
  return ts.isExpression(node) ? 'value' : undefined
}

function isInTypeQuery(node: ts.Node): boolean {
  let at: ts.Node = node
  while (ts.isQualifiedName(at)) at = at.parent
  return ts.isTypeQueryNode(at)
}

function isNamed(node: ts.Node): node is ts.NamedDeclaration {
  return 'name' in node
}
