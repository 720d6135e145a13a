// Types and signatures of calls of the library.

import ts from 'typescript-6'
import type { OwnTypes } from './ownTypes.ts'

/** The types that an object literal may have: of each overload of a call, or of its context. */
export function acceptedTypes(literal: ts.ObjectLiteralExpression, own: OwnTypes): ts.Type[] {
  const call = literal.parent
  if (isCall(call) && call.arguments?.includes(literal)) {
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

export function signaturesOf(call: Call, checker: ts.TypeChecker): readonly ts.Signature[] {
  const type = checker.getTypeAtLocation(call.expression)
  return ts.isCallExpression(call) ? type.getCallSignatures() : type.getConstructSignatures()
}

/** The package of a type, of each constituent of a union. */
export function packageOfAll(type: ts.Type, own: OwnTypes): string {
  const parts = (type.isUnion() ? type.types : [type]).filter((part) => !(part.flags & NOT_OBJECTS))
  const found = parts.map((part) => own.packageOfType(part))
  return found.every(Boolean) ? (found[0] ?? '') : ''
}

export const NOT_OBJECTS =
  ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike

export function ownFile(declaration: ts.Node, own: OwnTypes): string {
  const symbol = { declarations: [declaration] } as unknown as ts.Symbol
  return own.packageOf(symbol)
}

export function hasRest(signature: ts.Signature): boolean {
  const last = signature.getParameters().at(-1)
  const declaration = last?.valueDeclaration
  return Boolean(declaration && ts.isParameter(declaration) && declaration.dotDotDotToken)
}

/** Whether a type depends on what the block leaves open. */
export function isOpen(type: ts.Type): boolean {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return true
  if (type.flags & (ts.TypeFlags.Instantiable | ts.TypeFlags.TemplateLiteral)) return true
  return type.isUnionOrIntersection() && type.types.some(isOpen)
}

export type Call = ts.CallExpression | ts.NewExpression

export const isCall = (node: ts.Node): node is Call => ts.isCallExpression(node) || ts.isNewExpression(node)

/** The library's package that declares a function with one of these signatures; empty if none does. */
export function ownerOf(signatures: readonly ts.Signature[], own: OwnTypes): string {
  return signatures.map((one) => (one.declaration ? ownFile(one.declaration, own) : '')).find(Boolean) ?? ''
}
