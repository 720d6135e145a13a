// Which errors of the compiler are certain faults of the docs. All others are left out: a fragment causes many.

import ts from 'typescript-6'
import { mismatch, tooManyArguments, unknownOption } from './callFindings.ts'
import { isCall, ownerOf, packageOfAll } from './callTypes.ts'
import type { Candidate, FileFacts } from './candidate.ts'
import { describe, nearest, placeOf, tokenAt } from './codeWords.ts'
import { type OwnTypes, packageOfModule } from './ownTypes.ts'

/** Errors about types of calls, which leave a block undecided if they are not certain. All others are of a block that is no
 * whole project: unknown names and modules, implicit types, members of the block's own types. */
const UNDECIDED = new Set([2322, 2344, 2345, 2554, 2555, 2558, 2559, 2739, 2740, 2741, 2769])
/** What the compiler infers where a block leaves out the code that decides a type. */
const LEFT_OPEN = /'(?:unknown|void|\{\}|any|never|readonly unknown\[\]|unknown\[\])[^']*'|\bunknown\b|'void|(?:parameter of|to) type 'undefined'/

/** Whether an error that is no certain finding may be a fault of the docs: one in a call or an element of the library. */
export function isUndecided(diagnostic: ts.Diagnostic, { own, isAbridged }: FileFacts): boolean {
  if (!UNDECIDED.has(diagnostic.code) || !diagnostic.file || diagnostic.start === undefined) return false
  if (isAbridged && LACKING.has(diagnostic.code)) return false
  if (LEFT_OPEN.test(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'))) return false
  const callee = calleeAt(tokenAt(diagnostic.file, diagnostic.start))
  if (!callee) return false
  const type = own.checker.getTypeAtLocation(callee)
  return Boolean(ownerOf([...type.getCallSignatures(), ...type.getConstructSignatures()], own))
}

/** What is called or rendered around a node, within its statement. */
function calleeAt(node: ts.Node): ts.Node | null {
  for (let at = node; !ts.isSourceFile(at) && !ts.isStatement(at); at = at.parent) {
    if (isCall(at)) return at.expression
    if (ts.isJsxOpeningLikeElement(at)) return at.tagName
  }
  return null
}

/** Errors about arguments and options that are not there. */
const LACKING = new Set([2554, 2555, 2739, 2740, 2741, 2345, 2769, 2322])

type Rule = (node: ts.Node, facts: FileFacts, diagnostic: ts.Diagnostic) => Candidate | null

const mismatchRule: Rule = (node, facts, diagnostic) => mismatch(diagnostic, node, facts)

/** The rule of each error by its code. */
const RULES: ReadonlyMap<number, Rule> = new Map<number, Rule>([
  ...[2305, 2724, 2614].map((code) => [code, missingExport] as const),
  ...[2307, 2792].map((code) => [code, missingModule] as const),
  ...[2339, 2551].map((code) => [code, missingMember] as const),
  ...[2353, 2561].map((code) => [code, unknownOption] as const),
  [2554, tooManyArguments],
  ...[2345, 2322, 2769, 2740, 2739, 2741, 2559].map((code) => [code, mismatchRule] as const),
])

/** The certain finding of a diagnostic, if it is one. */
export function certainFinding(diagnostic: ts.Diagnostic, facts: FileFacts): Candidate | null {
  const rule = RULES.get(diagnostic.code)
  if (!rule || !diagnostic.file || diagnostic.start === undefined) return null
  return rule(tokenAt(diagnostic.file, diagnostic.start), facts, diagnostic)
}

function missingExport(node: ts.Node, { own }: FileFacts): Candidate | null {
  const specifier = node.parent
  if (!ts.isImportSpecifier(specifier) && !ts.isExportSpecifier(specifier)) return null
  const statement = ts.isImportSpecifier(specifier) ? specifier.parent.parent.parent : specifier.parent.parent
  if (!statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) return null
  const module = statement.moduleSpecifier.text
  const symbol = own.checker.getSymbolAtLocation(statement.moduleSpecifier)
  if (!symbol || !own.names.has(packageOfModule(module))) return null
  return missingIn(module, symbol, node, (specifier.propertyName ?? specifier.name).text, own)
}

function missingIn(module: string, symbol: ts.Symbol, node: ts.Node, name: string, own: OwnTypes): Candidate | null {
  const known = own.checker.getExportsOfModule(symbol).map((one) => one.name)
  if (!known.length || known.includes(name)) return null
  return {
    ...placeOf(node),
    kind: 'missing_export',
    name,
    package: packageOfModule(module),
    message: `\`${module}\` has no export \`${name}\`.`,
    suggestion: nearest(name, known),
  }
}

function missingModule(node: ts.Node, { own }: FileFacts): Candidate | null {
  if (!ts.isStringLiteral(node)) return null
  const owner = packageOfModule(node.text)
  if (owner === node.text || !own.names.has(owner)) return null
  return {
    ...placeOf(node),
    kind: 'wrong_import',
    name: node.text,
    package: owner,
    message: `\`${owner}\` has no entry \`${node.text}\`.`,
    suggestion: '',
  }
}

function missingMember(node: ts.Node, facts: FileFacts): Candidate | null {
  const { own } = facts
  const parent = node.parent
  const module = ts.isPropertyAccessExpression(parent) ? moduleOf(parent.expression, own.checker) : undefined
  if (module) return own.packageOf(module) ? missingIn(own.packageOf(module), module, node, node.getText(), own) : null
  const found = typeWithMember(node, own.checker)
  if (!found || ts.isJsxClosingElement(parent.parent)) return null
  const name = node.getText()
  const type = own.checker.getNonNullableType(found)
  const owner = packageOfAll(type, own)
  if (!owner || facts.augmented.has(name) || own.mayHave(type, name)) return null
  const known = own.checker.getPropertiesOfType(own.checker.getApparentType(type)).map((one) => one.name)
  return {
    ...placeOf(node),
    kind: 'unknown_property',
    name,
    package: owner,
    message: `\`${name}\` does not exist on ${describe(type, own.checker)}.`,
    suggestion: nearest(name, known),
  }
}

/** The module that a name is a namespace of: `tiles` of `import * as tiles`. */
function moduleOf(node: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(node)
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  return target && target.flags & ts.SymbolFlags.ValueModule ? target : undefined
}

/** The type whose member a node names, in `value.name` or `const { name } = value`. */
function typeWithMember(node: ts.Node, checker: ts.TypeChecker): ts.Type | undefined {
  const parent = node.parent
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return checker.getTypeAtLocation(parent.expression)
  if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent)) return patternType(parent.parent, checker)
  return undefined
}

function patternType(pattern: ts.ObjectBindingPattern, checker: ts.TypeChecker): ts.Type | undefined {
  const owner = pattern.parent
  if (ts.isVariableDeclaration(owner)) return owner.initializer && checker.getTypeAtLocation(owner.initializer)
  if (ts.isParameter(owner)) return checker.getTypeAtLocation(owner)
  return undefined
}

