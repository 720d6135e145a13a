// Which errors of the compiler are certain faults of the docs. All others are left out: a fragment causes many.

import ts from 'typescript-6'
import type { FaultKind } from './messages.ts'
import { type OwnTypes, packageOfModule } from './ownTypes.ts'

/** A finding at a position of the completed file. */
export interface Candidate {
  position: number
  length: number
  kind: FaultKind
  name: string
  package: string
  message: string
  suggestion: string
}

/** What a check of a file knows beside the file. */
export interface FileFacts {
  own: OwnTypes
  /** Members that the page adds to interfaces of packages. */
  augmented: ReadonlySet<string>
  isAbridged: boolean
  isWhole: boolean
  /** Names that the block itself imports. */
  imported: ReadonlySet<string>
}

const EXCESS = new Set([2353, 2561])
const MISSING = new Set([2741, 2739, 2740])
/** Errors that say only that the block is not a whole project: unknown names, modules, implicit types. */
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
  let at = tokenAt(diagnostic.file, diagnostic.start)
  for (; !ts.isSourceFile(at) && !ts.isStatement(at); at = at.parent) {
    const callee =
      ts.isCallExpression(at) || ts.isNewExpression(at) ? at.expression : ts.isJsxOpeningLikeElement(at) ? at.tagName : undefined
    if (!callee) continue
    const type = own.checker.getTypeAtLocation(callee)
    return [...type.getCallSignatures(), ...type.getConstructSignatures()].some(
      (one) => one.declaration && ownFile(one.declaration, own),
    )
  }
  return false
}

/** Errors about arguments and options that are not there. */
const LACKING = new Set([2554, 2555, 2739, 2740, 2741, 2345, 2769, 2322])

/** The certain finding of a diagnostic, if it is one. */
export function certainFinding(diagnostic: ts.Diagnostic, facts: FileFacts): Candidate | null {
  const file = diagnostic.file
  if (!file || diagnostic.start === undefined) return null
  const node = tokenAt(file, diagnostic.start)
  switch (diagnostic.code) {
    case 2305:
    case 2724:
    case 2614:
      return missingExport(node, facts)
    case 2307:
    case 2792:
      return missingModule(node, facts)
    case 1192:
    case 1259:
      return missingDefault(node, facts)
    case 2339:
    case 2551:
      return missingMember(node, facts)
    case 2353:
    case 2561:
      return unknownOption(node, facts)
    case 2554:
      return tooManyArguments(diagnostic, node, facts)
    case 2345:
    case 2322:
    case 2769:
    case 2740:
    case 2739:
    case 2741:
    case 2559:
      return mismatch(diagnostic, node, facts)
    default:
      return null
  }
}

function missingExport(node: ts.Node, { own }: FileFacts): Candidate | null {
  const specifier = node.parent
  if (!ts.isImportSpecifier(specifier) && !ts.isExportSpecifier(specifier)) return null
  const statement = ts.isImportSpecifier(specifier) ? specifier.parent.parent.parent : specifier.parent.parent
  if (!statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) return null
  const module = statement.moduleSpecifier.text
  const symbol = own.checker.getSymbolAtLocation(statement.moduleSpecifier)
  if (!symbol || !own.names.has(packageOfModule(module))) return null
  const name = (specifier.propertyName ?? specifier.name).text
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

function missingDefault(node: ts.Node, { own }: FileFacts): Candidate | null {
  const clause = node.parent
  if (!ts.isImportClause(clause) || !ts.isStringLiteral(clause.parent.moduleSpecifier)) return null
  const module = clause.parent.moduleSpecifier.text
  if (!own.names.has(packageOfModule(module))) return null
  return {
    ...placeOf(node),
    kind: 'wrong_import',
    name: node.getText(),
    package: packageOfModule(module),
    message: `\`${module}\` has no default export.`,
    suggestion: '',
  }
}

function missingMember(node: ts.Node, facts: FileFacts): Candidate | null {
  const { own } = facts
  const parent = node.parent
  let type: ts.Type | undefined
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    const symbol = own.checker.getSymbolAtLocation(parent.expression)
    const module = symbol && symbol.flags & ts.SymbolFlags.Alias ? own.checker.getAliasedSymbol(symbol) : symbol
    if (module && module.flags & ts.SymbolFlags.ValueModule) return missingInNamespace(node, module, facts)
    type = own.checker.getTypeAtLocation(parent.expression)
  } else if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent)) {
    type = patternType(parent.parent, own.checker)
  }
  if (!type) return null
  const name = node.getText()
  type = own.checker.getNonNullableType(type)
  const owner = packageOfAll(type, own)
  if (!owner || facts.augmented.has(name) || own.mayHave(type, name) || ts.isJsxClosingElement(parent.parent)) return null
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

function missingInNamespace(node: ts.Node, module: ts.Symbol, { own }: FileFacts): Candidate | null {
  const owner = own.packageOf(module)
  if (!owner) return null
  const known = own.checker.getExportsOfModule(module).map((one) => one.name)
  if (!known.length || known.includes(node.getText())) return null
  return {
    ...placeOf(node),
    kind: 'missing_export',
    name: node.getText(),
    package: owner,
    message: `\`${owner}\` has no export \`${node.getText()}\`.`,
    suggestion: nearest(node.getText(), known),
  }
}

function patternType(pattern: ts.ObjectBindingPattern, checker: ts.TypeChecker): ts.Type | undefined {
  const owner = pattern.parent
  if (ts.isVariableDeclaration(owner)) return owner.initializer && checker.getTypeAtLocation(owner.initializer)
  if (ts.isParameter(owner)) return checker.getTypeAtLocation(owner)
  return undefined
}

/** Attributes that the runtime of JSX takes from each element. */
const OF_RUNTIME = new Set(['key', 'ref', 'slot'])

/** An attribute of an element of the library that its component does not have. */
function unknownAttribute(node: ts.Node, { own, augmented }: FileFacts): Candidate | null {
  const attribute = node.parent
  if (!ts.isJsxAttribute(attribute) || attribute.name !== node || !ts.isIdentifier(node) || augmented.has(node.text)) return null
  if (OF_RUNTIME.has(node.text)) return null
  const element = attribute.parent.parent
  const type = own.checker.getContextualType(attribute.parent)
  if (!type) return null
  const properties = own.checker.getPropertiesOfType(type)
  const owners = properties.map((one) => own.packageOf(one)).filter(Boolean)
  const component = own.checker.getTypeAtLocation(element.tagName)
  const isOwn = component.getCallSignatures().some((one) => one.declaration && ownFile(one.declaration, own))
  if (!isOwn || !owners.length || own.mayHave(type, node.text) || type.flags & ts.TypeFlags.Any) return null
  const name = shorten(element.tagName.getText())
  return {
    ...placeOf(node),
    kind: 'unknown_property',
    name: node.text,
    package: owners[0] as string,
    message: `\`${node.text}\` is no property of \`${name}\`.`,
    suggestion: nearest(node.text, properties.map((one) => one.name)),
  }
}

function unknownOption(node: ts.Node, facts: FileFacts): Candidate | null {
  const { own } = facts
  const literal = optionLiteral(node)
  if (!literal) return null
  const name = nameText(node)
  if (facts.augmented.has(name)) return null
  const types = acceptedTypes(literal, own)
  const owner = types.length ? (types.map((type) => packageOfAll(type, own)).find(Boolean) ?? '') : ''
  if (!owner || types.some((type) => own.mayHave(type, name) || !packageOfAll(type, own))) return null
  const known = types.flatMap((type) =>
    (type.isUnion() ? type.types : [type]).flatMap((part) => own.checker.getPropertiesOfType(part).map((one) => one.name)),
  )
  const call = callOf(literal)
  const target = call ? `\`${call}\`` : describe(types[0] as ts.Type, own.checker)
  return {
    ...placeOf(node),
    kind: 'unknown_property',
    name,
    package: owner,
    message: call ? `\`${name}\` is no option of ${target}.` : `\`${name}\` does not exist on ${target}.`,
    suggestion: nearest(name, known),
  }
}

/** The object literal whose property name a node is. */
function optionLiteral(node: ts.Node): ts.ObjectLiteralExpression | null {
  const property = node.parent
  const isName =
    (ts.isPropertyAssignment(property) || ts.isMethodDeclaration(property) || ts.isShorthandPropertyAssignment(property)) &&
    property.name === node
  return isName && ts.isObjectLiteralExpression(property.parent) ? property.parent : null
}

/** The types that an object literal may have: of each overload of a call, or of its context. */
function acceptedTypes(literal: ts.ObjectLiteralExpression, own: OwnTypes): ts.Type[] {
  const call = literal.parent
  if ((ts.isCallExpression(call) || ts.isNewExpression(call)) && call.arguments?.includes(literal)) {
    const index = call.arguments.indexOf(literal)
    const found = signaturesOf(call, own.checker).flatMap((signature) => {
      const parameter = signature.getParameters()[index]
      if (!parameter) return []
      const type = own.checker.getTypeOfSymbolAtLocation(parameter, call)
      return [own.checker.getBaseConstraintOfType(type) ?? type]
    })
    if (found.length) return found
  }
  const type = own.checker.getContextualType(literal)
  return type ? [own.checker.getNonNullableType(type)] : []
}

function signaturesOf(call: ts.CallExpression | ts.NewExpression, checker: ts.TypeChecker): readonly ts.Signature[] {
  const type = checker.getTypeAtLocation(call.expression)
  return ts.isCallExpression(call) ? type.getCallSignatures() : type.getConstructSignatures()
}

/** The package of a type, of each constituent of a union. */
function packageOfAll(type: ts.Type, own: OwnTypes): string {
  const parts = (type.isUnion() ? type.types : [type]).filter((part) => !(part.flags & NOT_OBJECTS))
  const found = parts.map((part) => own.packageOfType(part))
  return found.every(Boolean) ? (found[0] ?? '') : ''
}

const NOT_OBJECTS =
  ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike

function tooManyArguments(diagnostic: ts.Diagnostic, node: ts.Node, { own }: FileFacts): Candidate | null {
  let call: ts.Node = node
  while (call && !ts.isCallExpression(call) && !ts.isNewExpression(call)) call = call.parent
  const given = (call as ts.CallExpression | undefined)?.arguments
  if (!call || !given || given.some(ts.isSpreadElement)) return null
  const signatures = signaturesOf(call as ts.CallExpression, own.checker)
  const most = Math.max(...signatures.map((one) => (hasRest(one) ? Number.POSITIVE_INFINITY : one.getParameters().length)))
  const owner = own.packageOf(signatures[0]?.declaration && symbolOf(signatures[0].declaration, own.checker))
  const fileOwner = signatures[0]?.declaration ? ownFile(signatures[0].declaration, own) : ''
  if (!(owner || fileOwner) || given.length <= most || diagnostic.start === undefined) return null
  const callee = (call as ts.CallExpression).expression.getText()
  return {
    ...placeOf(given[most] ?? node),
    kind: 'wrong_argument',
    name: callee,
    package: owner || fileOwner,
    message: `\`${shorten(callee)}\` takes ${most === 0 ? 'no arguments' : most === 1 ? 'one argument' : `at most ${most} arguments`}, not ${given.length}.`,
    suggestion: '',
  }
}

function ownFile(declaration: ts.Node, own: OwnTypes): string {
  const symbol = { declarations: [declaration] } as unknown as ts.Symbol
  return own.packageOf(symbol)
}

function symbolOf(declaration: ts.SignatureDeclaration | ts.JSDocSignature, checker: ts.TypeChecker): ts.Symbol | undefined {
  return 'name' in declaration && declaration.name ? checker.getSymbolAtLocation(declaration.name) : undefined
}

function hasRest(signature: ts.Signature): boolean {
  const last = signature.getParameters().at(-1)
  const declaration = last?.valueDeclaration
  return Boolean(declaration && ts.isParameter(declaration) && declaration.dotDotDotToken)
}

function mismatch(diagnostic: ts.Diagnostic, node: ts.Node, facts: FileFacts): Candidate | null {
  const codes = chainCodes(diagnostic)
  if (codes.some((code) => EXCESS.has(code))) {
    const option = unknownOption(node, facts)
    if (option) return option
  }
  return unknownAttribute(node, facts) ?? wrongOptionValue(node, facts) ?? wrongLiteralArgument(node, facts) ?? missingOption(codes, node, facts)
}

/** An option whose value is a literal of a type that it does not take. */
function wrongOptionValue(node: ts.Node, { own, augmented }: FileFacts): Candidate | null {
  const property = node.parent
  if (!ts.isPropertyAssignment(property) || property.name !== node || !(isLiteral(property.initializer) || ts.isObjectLiteralExpression(property.initializer))) return null
  const literal = property.parent
  const name = nameText(node)
  if (augmented.has(name)) return null
  const types = acceptedTypes(literal, own)
  if (!types.length || types.some((type) => !packageOfAll(type, own))) return null
  const accepted = types.flatMap((type) => {
    const parts = type.isUnion() ? type.types : [type]
    return parts.flatMap((part) => {
      const symbol = own.checker.getPropertyOfType(part, name)
      return symbol ? [own.checker.getTypeOfSymbolAtLocation(symbol, literal)] : []
    })
  })
  const given = own.checker.getTypeAtLocation(property.initializer)
  if (ts.isObjectLiteralExpression(property.initializer) && accepted.some((type) => takesObjects(type))) return null
  if (!accepted.length || accepted.some((type) => isOpen(type, own.checker) || own.checker.isTypeAssignableTo(given, type))) return null
  const owner = packageOfAll(types[0] as ts.Type, own)
  return {
    ...placeOf(node),
    kind: 'wrong_argument',
    name,
    package: owner,
    message: `\`${name}\` does not take ${literalText(property.initializer)}.`,
    suggestion: '',
  }
}

/** A literal as argument of a function of the library that does not take it. */
function wrongLiteralArgument(node: ts.Node, { own, augmented }: FileFacts): Candidate | null {
  let argument: ts.Node = node
  while (argument.parent && !((ts.isCallExpression(argument.parent) || ts.isNewExpression(argument.parent)) && argument.parent.arguments?.includes(argument as ts.Expression))) {
    if (ts.isStatement(argument) || ts.isFunctionLike(argument)) return null
    argument = argument.parent
  }
  const call = argument.parent as ts.CallExpression | undefined
  if (!call || !isLiteral(argument) || argument.getStart() !== node.getStart()) return null
  const index = call.arguments.indexOf(argument as ts.Expression)
  const signatures = signaturesOf(call, own.checker)
  const owner = signatures.map((one) => (one.declaration ? ownFile(one.declaration, own) : '')).find(Boolean) ?? ''
  if (!owner || call.arguments.some(ts.isSpreadElement)) return null
  const given = own.checker.getTypeAtLocation(argument)
  for (const signature of signatures) {
    const parameter = signature.getParameters()[index]
    if (!parameter || (hasRest(signature) && index >= signature.getParameters().length - 1)) {
      if (!parameter) continue
      return null
    }
    const declared = own.checker.getNonNullableType(own.checker.getTypeOfSymbolAtLocation(parameter, call))
    const type = own.checker.getBaseConstraintOfType(declared) ?? declared
    if (ts.isStringLiteralLike(argument) && augmented.has(argument.text)) return null
    if (isOpen(type, own.checker) || own.checker.isTypeAssignableTo(given, type)) return null
  }
  const callee = shorten(call.expression.getText())
  return {
    ...placeOf(argument),
    kind: 'wrong_argument',
    name: callee,
    package: owner,
    message: `\`${callee}\` does not take ${literalText(argument)} as its ${ORDINALS[index] ?? 'last'} argument.`,
    suggestion: '',
  }
}

const ORDINALS = ['first', 'second', 'third', 'fourth']

/** A required option that an object literal lacks in a call of the library. */
function missingOption(codes: readonly number[], node: ts.Node, facts: FileFacts): Candidate | null {
  const { own } = facts
  if (facts.isAbridged || !facts.isWhole || !codes.some((code) => MISSING.has(code) || code === 2345 || code === 2769)) return null
  const literal = ts.isObjectLiteralExpression(node) ? node : node.parent
  if (!ts.isObjectLiteralExpression(literal) || literal.getStart() !== node.getStart()) return null
  const call = literal.parent
  if (!(ts.isCallExpression(call) || ts.isNewExpression(call)) || !call.arguments?.includes(literal)) return null
  // A block that shows its import is complete; others often show only the options that their text is about.
  if (!ts.isIdentifier(call.expression) || !facts.imported.has(call.expression.text)) return null
  if (literal.properties.some((one) => !ts.isPropertyAssignment(one) && !ts.isShorthandPropertyAssignment(one) && !ts.isMethodDeclaration(one))) return null
  const types = acceptedTypes(literal, own)
  if (types.length !== 1 || !types[0] || types[0].isUnion()) return null
  const owner = own.packageOfType(types[0])
  const given = new Set(literal.properties.map((one) => (one.name ? nameText(one.name) : '')))
  const missing = own.checker
    .getPropertiesOfType(types[0])
    .filter((one) => !(one.flags & ts.SymbolFlags.Optional) && !given.has(one.name))
    .map((one) => one.name)
  const callee = shorten(call.expression.getText())
  const name = missing[0]
  if (!owner || name === undefined || literal.getText().includes('//') || literal.getText().includes('/*')) return null
  return {
    ...placeOf(call.expression),
    kind: 'missing_property',
    name,
    package: owner,
    message: `\`${callee}\` requires the option \`${name}\`.`,
    suggestion: '',
  }
}

function chainCodes(diagnostic: ts.Diagnostic): number[] {
  const found = [diagnostic.code]
  const visit = (chain: ts.DiagnosticMessageChain) => {
    found.push(chain.code)
    chain.next?.forEach(visit)
  }
  if (typeof diagnostic.messageText !== 'string') visit(diagnostic.messageText)
  return found
}

function isLiteral(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    (ts.isArrayLiteralExpression(node) && node.elements.every(isLiteral))
  )
}

function literalText(node: ts.Node): string {
  if (ts.isArrayLiteralExpression(node)) return 'an array'
  if (ts.isObjectLiteralExpression(node)) return 'an object'
  if (ts.isStringLiteralLike(node)) return 'a string'
  return ts.isNumericLiteral(node) ? 'a number' : 'a boolean'
}

/** Whether a type depends on what the block leaves open. */
function isOpen(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return true
  if (type.flags & (ts.TypeFlags.Instantiable | ts.TypeFlags.TemplateLiteral)) return true
  return type.isUnionOrIntersection() && type.types.some((part) => isOpen(part, checker))
}

/** Whether an object that is no function may be of the type. */
function takesObjects(type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type]
  return parts.some((part) => !(part.flags & NOT_OBJECTS) && part.getCallSignatures().length === 0)
}

function callOf(literal: ts.ObjectLiteralExpression): string {
  const call = literal.parent
  if (!(ts.isCallExpression(call) || ts.isNewExpression(call))) return ''
  const callee = call.expression
  return ts.isIdentifier(callee) || ts.isPropertyAccessExpression(callee) ? shorten(callee.getText()) : ''
}

function describe(type: ts.Type, checker: ts.TypeChecker): string {
  const name = type.aliasSymbol?.name ?? type.symbol?.name ?? ''
  if (/^\w+$/.test(name) && !name.startsWith('__')) return `\`${name}\``
  return `\`${shorten(checker.typeToString(type))}\``
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

const nameText = (node: ts.Node) => (ts.isStringLiteralLike(node) ? node.text : node.getText())

const placeOf = (node: ts.Node) => ({ position: node.getStart(), length: node.end - node.getStart() })

function tokenAt(file: ts.SourceFile, position: number): ts.Node {
  let at: ts.Node = file
  for (;;) {
    const inner: ts.Node | undefined = ts.forEachChild(at, (child) =>
      child.getStart() <= position && position < child.end ? child : undefined,
    )
    if (!inner) return at
    at = inner
  }
}

/** The known name with the fewest changes, if they are at most a third of its letters. */
export function nearest(name: string, known: readonly string[]): string {
  let best = ''
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const one of known) {
    if (Math.abs(one.length - name.length) >= fewest) continue
    const changes = distance(name.toLowerCase(), one.toLowerCase())
    if (changes < fewest && one !== name) [best, fewest] = [one, changes]
  }
  return best
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length] as number
}
