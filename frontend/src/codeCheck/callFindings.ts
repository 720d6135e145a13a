// Certain faults of calls and elements: options, attributes and arguments.

import ts from 'typescript-6'
import {
  acceptedTypes,
  type Call,
  hasRest,
  isCall,
  isOpen,
  NOT_OBJECTS,
  ownerOf,
  packageOfAll,
  signaturesOf,
} from './callTypes.ts'
import type { Candidate, FileFacts } from './candidate.ts'
import { describe, nameText, nearest, placeOf, shorten } from './codeWords.ts'
import type { OwnTypes } from './ownTypes.ts'

const EXCESS = new Set([2353, 2561])
const MISSING = new Set([2741, 2739, 2740, 2345, 2769])

/** More arguments than any signature of a function of the library takes. */
export function tooManyArguments(node: ts.Node, { own }: FileFacts): Candidate | null {
  const call = enclosingCall(node)
  const given = call?.arguments
  if (!call || !given || given.some(ts.isSpreadElement)) return null
  const signatures = signaturesOf(call, own.checker)
  const most = Math.max(...signatures.map((one) => (hasRest(one) ? Number.POSITIVE_INFINITY : one.getParameters().length)))
  const owner = ownerOf(signatures, own)
  if (!owner || given.length <= most) return null
  const callee = shorten(call.expression.getText())
  return {
    ...placeOf(given[most] ?? node),
    kind: 'wrong_argument',
    name: callee,
    package: owner,
    message: `\`${callee}\` takes ${argumentCount(most)}, not ${given.length}.`,
    suggestion: '',
  }
}

function enclosingCall(node: ts.Node): Call | undefined {
  let at: ts.Node | undefined = node
  while (at && !isCall(at)) at = at.parent
  return at
}

function argumentCount(most: number): string {
  if (most === 0) return 'no arguments'
  return most === 1 ? 'one argument' : `at most ${most} arguments`
}

/** The first rule that makes an error of types a certain fault. */
export function mismatch(diagnostic: ts.Diagnostic, node: ts.Node, facts: FileFacts): Candidate | null {
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
  const accepted = types.flatMap((type) => optionTypes(type, name, literal, own))
  if (!accepted.length || accepted.some((type) => mayBe(type, property.initializer, own))) return null
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

/** The types of an option in the constituents of a type that have it. */
function optionTypes(type: ts.Type, name: string, literal: ts.Node, own: OwnTypes): ts.Type[] {
  return (type.isUnion() ? type.types : [type]).flatMap((part) => {
    const symbol = own.checker.getPropertyOfType(part, name)
    return symbol ? [own.checker.getTypeOfSymbolAtLocation(symbol, literal)] : []
  })
}

/** Whether a type may take a value, as far as the block decides it. */
function mayBe(type: ts.Type, value: ts.Expression, own: OwnTypes): boolean {
  if (ts.isObjectLiteralExpression(value) && takesObjects(type)) return true
  if (ts.isStringLiteralLike(value) && takesRegisteredNames(type)) return true
  return isOpen(type) || own.checker.isTypeAssignableTo(own.checker.getTypeAtLocation(value), type)
}

/** A literal as an argument that no signature of a function of the library takes. */
function wrongLiteralArgument(node: ts.Node, { own, augmented }: FileFacts): Candidate | null {
  const argument = argumentAt(node)
  if (!argument || !isLiteral(argument)) return null
  const call = argument.parent as Call
  const index = call.arguments?.indexOf(argument) ?? -1
  const signatures = signaturesOf(call, own.checker)
  const owner = ownerOf(signatures, own)
  if (!owner || call.arguments?.some(ts.isSpreadElement)) return null
  if (ts.isStringLiteralLike(argument) && augmented.has(argument.text)) return null
  const given = own.checker.getTypeAtLocation(argument)
  if (signatures.some((signature) => mayTake(signature, index, given, call, own))) return null
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

/** The argument of a call that begins where a node does. */
function argumentAt(node: ts.Node): ts.Expression | null {
  for (let at = node; at.parent && !ts.isStatement(at) && !ts.isFunctionLike(at); at = at.parent) {
    const call = at.parent
    if (isCall(call) && call.arguments?.includes(at as ts.Expression)) {
      return at.getStart() === node.getStart() ? (at as ts.Expression) : null
    }
  }
  return null
}

/** Whether a signature may take a value of a type as its argument with this index. */
function mayTake(signature: ts.Signature, index: number, given: ts.Type, call: Call, own: OwnTypes): boolean {
  const parameter = signature.getParameters()[index]
  if (hasRest(signature) && index >= signature.getParameters().length - 1) return true
  if (!parameter) return false
  const declared = own.checker.getNonNullableType(own.checker.getTypeOfSymbolAtLocation(parameter, call))
  const type = own.checker.getBaseConstraintOfType(declared) ?? declared
  return isOpen(type) || own.checker.isTypeAssignableTo(given, type)
}

const ORDINALS = ['first', 'second', 'third', 'fourth']

/** A required option that a call of the library lacks. */
function missingOption(codes: readonly number[], node: ts.Node, facts: FileFacts): Candidate | null {
  const { own } = facts
  const literal = facts.isAbridged || !facts.isWhole || !codes.some((code) => MISSING.has(code)) ? null : completeLiteral(node)
  const call = literal?.parent
  if (!literal || !call || !isCall(call) || !isImported(call.expression, facts)) return null
  const type = onlyType(acceptedTypes(literal, own))
  if (!type) return null
  const owner = own.packageOfType(type)
  const name = missingNames(type, literal, own)[0]
  if (!owner || name === undefined) return null
  const callee = shorten(call.expression.getText())
  return {
    ...placeOf(call.expression),
    kind: 'missing_property',
    name,
    package: owner,
    message: `\`${callee}\` requires the option \`${name}\`.`,
    suggestion: '',
  }
}

/** Whether the block imports a function. Others often show only the options that their text is about. */
const isImported = (callee: ts.Expression, { imported }: FileFacts) => ts.isIdentifier(callee) && imported.has(callee.text)

const onlyType = ([type, another]: ts.Type[]) => (another || type?.isUnion() ? undefined : type)

/** The object literal that begins at a node, without comments and spreads. */
function completeLiteral(node: ts.Node): ts.ObjectLiteralExpression | null {
  const literal = ts.isObjectLiteralExpression(node) ? node : node.parent
  if (!ts.isObjectLiteralExpression(literal) || literal.getStart() !== node.getStart()) return null
  return isComplete(literal) ? literal : null
}

/** Whether a literal has neither comments nor spreads, which stand for further options. */
function isComplete(literal: ts.ObjectLiteralExpression): boolean {
  const text = literal.getText()
  return !text.includes('//') && !text.includes('/*') && !literal.properties.some(ts.isSpreadAssignment)
}

function missingNames(type: ts.Type, literal: ts.ObjectLiteralExpression, own: OwnTypes): string[] {
  const given = new Set(literal.properties.map((one) => (one.name ? nameText(one.name) : '')))
  const required = own.checker.getPropertiesOfType(type).filter((one) => !(one.flags & ts.SymbolFlags.Optional))
  return required.map((one) => one.name).filter((name) => !given.has(name))
}

/** An option that no signature of a call of the library has. */
export function unknownOption(node: ts.Node, facts: FileFacts): Candidate | null {
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
  if (!ownerOf(component.getCallSignatures(), own) || !owners.length || own.mayHave(type, node.text) || type.flags & ts.TypeFlags.Any) return null
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

/** Whether a type is names or a function: applications register functions of their own under further names. */
function takesRegisteredNames(type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type]
  return parts.some((part) => part.flags & ts.TypeFlags.StringLiteral) && parts.some((part) => part.getCallSignatures().length > 0)
}

/** Whether an object that is no function may be of the type. */
function takesObjects(type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type]
  return parts.some((part) => !(part.flags & NOT_OBJECTS) && part.getCallSignatures().length === 0)
}

function callOf(literal: ts.ObjectLiteralExpression): string {
  const call = literal.parent
  if (!isCall(call)) return ''
  const callee = call.expression
  return ts.isIdentifier(callee) || ts.isPropertyAccessExpression(callee) ? shorten(callee.getText()) : ''
}
