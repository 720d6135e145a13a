// Which names of a block its page, the packages or no code defines.

import ts from 'typescript-6'
import { blank, declaredNames } from './alternatives.ts'

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

/** An import of a package that the reader is to choose: `@acme/[adapter]-tiles`. */
function isPlaceholderImport(statement: ts.Statement): boolean {
  return ts.isImportDeclaration(statement) && /[[<{]/.test((statement.moduleSpecifier as ts.StringLiteral).text ?? '')
}

/** `declare module 'a' {}` and `declare global {}`. They would change the types of all other pages. */
function isAugmentation(statement: ts.Statement): statement is ts.ModuleDeclaration {
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

/** The statement of a default import or of a namespace. */
function importStatement(local: string, { module, imported, isType }: ImportedName): string {
  return `import ${isType ? 'type ' : ''}${imported === '*' ? `* as ${local}` : local} from '${module}'`
}

const renamed = (local: string, imported: string) => (imported === local ? local : `${imported} as ${local}`)

/** One statement for each module. */
export function importStatements(names: ReadonlyMap<string, ImportedName>): string[] {
  const grouped = new Map<string, string[]>()
  const others: string[] = []
  for (const [local, one] of names) {
    if (one.imported === 'default' || one.imported === '*') {
      others.push(importStatement(local, one))
      continue
    }
    const written = `${one.isType ? 'type ' : ''}${renamed(local, one.imported)}`
    grouped.set(one.module, [...(grouped.get(one.module) ?? []), written])
  }
  return [...others, ...[...grouped].map(([module, written]) => `import { ${written.join(', ')} } from '${module}'`)]
}

/** The text of a file without augmentations and without imports of a package that the reader is to choose. */
export function withoutAmbientCode(file: ts.SourceFile): string {
  let { text } = file
  for (const statement of file.statements) {
    if (isAugmentation(statement) || isPlaceholderImport(statement)) {
      text = text.slice(0, statement.getStart()) + blank(text.slice(statement.getStart(), statement.end)) + text.slice(statement.end)
    }
  }
  return text
}
