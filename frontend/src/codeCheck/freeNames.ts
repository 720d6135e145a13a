// The names of a file that nothing in it declares.

import ts from 'typescript-6'

/** What a name is used as: `made` in `new Name()`, `element` in `<Name />`. */
export type Meaning = 'value' | 'type' | 'namespace' | 'made' | 'element'

/** The free names, with what they are used as. Those of the language and of the browser are among them: a page's own `Comment`
 * comes before that of the DOM. */
export function freeNames(file: ts.SourceFile, checker: ts.TypeChecker): Map<string, Set<Meaning>> {
  const found = new Map<string, Set<Meaning>>()
  // `resolveName` is not in the types of the compiler.
  const resolver = checker as unknown as {
    resolveName: (name: string, location: ts.Node, meaning: ts.SymbolFlags, excludeGlobals: boolean) => ts.Symbol | undefined
  }
  const visit = (node: ts.Node) => {
    const meaning = ts.isIdentifier(node) ? meaningOf(node) : null
    if (meaning && !resolver.resolveName((node as ts.Identifier).text, node, FLAGS[meaning], true)) {
      const { text } = node as ts.Identifier
      found.set(text, (found.get(text) ?? new Set()).add(meaning))
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

const OF_LANGUAGE = new Set(['', 'undefined', 'arguments'])

/** What an identifier refers to; null for names of declarations, properties and attributes. */
function meaningOf(node: ts.Identifier): Meaning | null {
  if (OF_LANGUAGE.has(node.text)) return null
  const parent = node.parent
  if (TYPE_PARENTS.has(parent.kind)) return typeMeaning(node)
  if (ts.isJsxOpeningLikeElement(parent) || ts.isJsxClosingElement(parent)) return /^[a-z]/.test(node.text) ? null : 'element'
  if (ts.isNewExpression(parent) && parent.expression === node) return 'made'
  return isValue(node) ? 'value' : null
}

const TYPE_PARENTS = new Set([
  ts.SyntaxKind.QualifiedName,
  ts.SyntaxKind.TypeReference,
  ts.SyntaxKind.TypeQuery,
  ts.SyntaxKind.ExpressionWithTypeArguments,
])

function typeMeaning(node: ts.Identifier): Meaning | null {
  const parent = node.parent
  if (ts.isQualifiedName(parent)) {
    if (parent.left !== node) return null
    return isInTypeQuery(parent) ? 'value' : 'namespace'
  }
  if (ts.isExpressionWithTypeArguments(parent)) return ts.isInterfaceDeclaration(parent.parent.parent) ? 'type' : 'value'
  return ts.isTypeQueryNode(parent) ? 'value' : 'type'
}

function isValue(node: ts.Identifier): boolean {
  const parent = node.parent
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isShorthandPropertyAssignment(parent)) return parent.name === node
  return ts.isExportSpecifier(parent) ? isExported(node, parent) : !isName(node)
}

function isExported(node: ts.Identifier, specifier: ts.ExportSpecifier): boolean {
  const isRenamed = specifier.propertyName !== undefined && specifier.name === node
  return !specifier.parent.parent.moduleSpecifier && !isRenamed
}

/** Parents of identifiers that are names of something else than a value. */
const NAMING_PARENTS = new Set([
  ts.SyntaxKind.JsxAttribute,
  ts.SyntaxKind.JsxNamespacedName,
  ts.SyntaxKind.ImportSpecifier,
  ts.SyntaxKind.ImportClause,
  ts.SyntaxKind.NamespaceImport,
  ts.SyntaxKind.MetaProperty,
  ts.SyntaxKind.LabeledStatement,
  ts.SyntaxKind.BreakStatement,
  ts.SyntaxKind.ContinueStatement,
  ts.SyntaxKind.NamedTupleMember,
  ts.SyntaxKind.TypePredicate,
])

/** Whether an identifier names a declaration, a property or an attribute. */
function isName(node: ts.Identifier): boolean {
  const parent = node.parent as ts.Node & { name?: ts.Node; initializer?: ts.Node; propertyName?: ts.Node }
  if (NAMING_PARENTS.has(parent.kind)) return true
  return (parent.name === node || parent.propertyName === node) && parent.initializer !== node
}

function isInTypeQuery(node: ts.Node): boolean {
  let at: ts.Node = node
  while (ts.isQualifiedName(at)) at = at.parent
  return ts.isTypeQueryNode(at)
}
