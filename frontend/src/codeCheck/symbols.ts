// What names of the library's packages are: signature, first sentence of the documentation, options.

import ts from 'typescript-6'
import type { ExportEntry, OptionEntry, SymbolEntry } from './messages.ts'
import type { OwnTypes } from './ownTypes.ts'

const LONGEST_SIGNATURE = 400
const LONGEST_TYPE = 120
const LONGEST_SENTENCE = 240
const MOST_OPTIONS = 60
/** Members of a class or an interface that the index of symbols has. */
const MOST_MEMBERS = 120
/** Exports of a module that the index of symbols has. */
const MOST_EXPORTS = 1000
const TYPE_FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope

/** The entry of a symbol, made once for all its uses. */
export class SymbolEntries {
  readonly #own: OwnTypes
  readonly #made = new Map<ts.Symbol, SymbolEntry>()

  constructor(own: OwnTypes) {
    this.#own = own
  }

  of(symbol: ts.Symbol): SymbolEntry {
    const known = this.#made.get(symbol)
    if (known) return known
    const { checker } = this.#own
    const made: SymbolEntry = {
      name: symbol.name,
      owner: ownerOf(symbol),
      kind: kindOf(symbol),
      package: this.#own.packageOf(symbol),
      signature: shortened(signatureOf(symbol, checker), LONGEST_SIGNATURE),
      summary: summaryOf(symbol, checker),
      deprecated: deprecatedOf(symbol, checker),
      options: optionsOf(symbol, checker),
    }
    this.#made.set(symbol, made)
    return made
  }
}

/** The exports of a module of the library, each with the members of classes and interfaces. */
export function exportEntries(module: string, file: ts.SourceFile, own: OwnTypes): ExportEntry[] {
  const symbol = own.checker.getSymbolAtLocation(file)
  if (!symbol) return []
  const entries = new SymbolEntries(own)
  const found: ExportEntry[] = []
  for (const exported of own.checker.getExportsOfModule(symbol).slice(0, MOST_EXPORTS)) {
    const target = exported.flags & ts.SymbolFlags.Alias ? own.checker.getAliasedSymbol(exported) : exported
    if (!own.packageOf(target) || exported.name === 'default') continue
    found.push({ symbol: { ...entries.of(target), name: exported.name }, module })
    if (!(target.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) continue
    const members = own.checker.getPropertiesOfType(own.checker.getDeclaredTypeOfSymbol(target)).slice(0, MOST_MEMBERS)
    for (const member of members) {
      if (!own.packageOf(member) || isHidden(member)) continue
      found.push({ symbol: { ...entries.of(member), owner: exported.name, options: [] }, module })
    }
  }
  return found
}

function isHidden(symbol: ts.Symbol): boolean {
  const declaration = symbol.declarations?.[0]
  const flags = declaration ? ts.getCombinedModifierFlags(declaration) : 0
  return symbol.name.startsWith('_') || Boolean(flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected))
}

function ownerOf(symbol: ts.Symbol): string {
  if (!(symbol.flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Method | ts.SymbolFlags.Accessor | ts.SymbolFlags.EnumMember))) return ''
  let at: ts.Node | undefined = symbol.declarations?.[0]?.parent
  while (at && !ts.isSourceFile(at)) {
    if (ts.isInterfaceDeclaration(at) || ts.isClassDeclaration(at)) return at.name?.text ?? ''
    if (ts.isTypeAliasDeclaration(at) || ts.isEnumDeclaration(at)) return at.name.text
    at = at.parent
  }
  return ''
}

function kindOf(symbol: ts.Symbol): string {
  const { flags } = symbol
  if (flags & ts.SymbolFlags.Function) return 'function'
  if (flags & ts.SymbolFlags.Class) return 'class'
  if (flags & ts.SymbolFlags.Enum) return 'enum'
  if (flags & ts.SymbolFlags.Method) return 'method'
  if (flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Accessor | ts.SymbolFlags.EnumMember)) return 'property'
  if (flags & ts.SymbolFlags.Interface) return 'interface'
  if (flags & ts.SymbolFlags.TypeAlias) return 'type'
  if (flags & ts.SymbolFlags.Module) return 'namespace'
  return 'const'
}

function signatureOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const { name } = symbol
  switch (kindOf(symbol)) {
    case 'function':
      return callable(`function ${name}`, checker.getTypeOfSymbol(symbol), checker)
    case 'class': {
      const made = checker.getTypeOfSymbol(symbol).getConstructSignatures()[0]
      return made ? `new ${name}${printed(made, checker)}` : `class ${name}`
    }
    case 'interface':
      return `interface ${name}${typeParameters(symbol)}`
    case 'enum':
      return `enum ${name}`
    case 'namespace':
      return `namespace ${name}`
    case 'type':
      return `type ${name}${typeParameters(symbol)} = ${checker.typeToString(checker.getDeclaredTypeOfSymbol(symbol), undefined, TYPE_FLAGS | ts.TypeFormatFlags.InTypeAlias)}`
    case 'method':
      return callable(name, checker.getTypeOfSymbol(symbol), checker)
    default: {
      const optional = symbol.flags & ts.SymbolFlags.Optional ? '?' : ''
      const type = checker.getTypeOfSymbol(symbol)
      const prefix = kindOf(symbol) === 'const' ? 'const ' : ''
      return `${prefix}${name}${optional}: ${typeText(type, checker)}`
    }
  }
}

function callable(name: string, type: ts.Type, checker: ts.TypeChecker): string {
  const signatures = type.getCallSignatures()
  const last = signatures.at(-1)
  if (!last) return `${name}: ${typeText(type, checker)}`
  const more = signatures.length - 1
  return `${name}${printed(last, checker)}${more ? ` (+${more} overload${more > 1 ? 's' : ''})` : ''}`
}

const printed = (signature: ts.Signature, checker: ts.TypeChecker) => checker.signatureToString(signature, undefined, TYPE_FLAGS)

/** Without `undefined` of optional properties. */
const typeText = (type: ts.Type, checker: ts.TypeChecker) =>
  checker.typeToString(type, undefined, TYPE_FLAGS).replace(/ \| undefined$/, '')

function typeParameters(symbol: ts.Symbol): string {
  const declaration = symbol.declarations?.find((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one))
  const parameters = declaration && (declaration as ts.InterfaceDeclaration).typeParameters
  return parameters?.length ? `<${parameters.map((one) => one.name.text).join(', ')}>` : ''
}

/** The first sentence of the documentation. */
function summaryOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  return firstSentence(ts.displayPartsToString(symbol.getDocumentationComment(checker)))
}

function firstSentence(text: string): string {
  const paragraph = text.split(/\n\s*\n|\n\s*[-*] |```/)[0] ?? ''
  const line = paragraph.replace(/\s+/g, ' ').trim()
  const sentence = /^.*?[.!?](?=\s+[A-Z`]|$)/.exec(line)?.[0] ?? line
  return shortened(sentence, LONGEST_SENTENCE)
}

function deprecatedOf(symbol: ts.Symbol, checker: ts.TypeChecker): string | null {
  const declarations = symbol.declarations ?? []
  // Of overloads, some may be deprecated: the symbol is if all are.
  const marked = declarations.filter((one) => ts.getJSDocDeprecatedTag(one))
  if (!marked.length || marked.length < declarations.length) return null
  const tag = symbol.getJsDocTags(checker).find((one) => one.name === 'deprecated')
  return firstSentence(ts.displayPartsToString(tag?.text))
}

/** The properties of the first parameter of an object type. */
function optionsOf(symbol: ts.Symbol, checker: ts.TypeChecker): OptionEntry[] {
  if (!(symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class | ts.SymbolFlags.Method))) return []
  const type = checker.getTypeOfSymbol(symbol)
  const signature = (symbol.flags & ts.SymbolFlags.Class ? type.getConstructSignatures() : type.getCallSignatures()).at(-1)
  for (const parameter of signature?.getParameters() ?? []) {
    const declared = checker.getNonNullableType(checker.getTypeOfSymbol(parameter))
    const accepted = checker.getBaseConstraintOfType(declared) ?? declared
    if (!(accepted.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) || accepted.getCallSignatures().length) continue
    if (checker.isArrayType(accepted) || checker.isTupleType(accepted)) continue
    const properties = checker.getPropertiesOfType(accepted)
    if (!properties.some((one) => one.declarations?.some((at) => at.getSourceFile().fileName.includes('/node_modules/')))) continue
    return properties.slice(0, MOST_OPTIONS).map((one) => ({
      name: one.name,
      type: shortened(typeText(checker.getTypeOfSymbol(one), checker), LONGEST_TYPE),
      summary: summaryOf(one, checker),
      is_optional: Boolean(one.flags & ts.SymbolFlags.Optional),
      deprecated: deprecatedOf(one, checker),
    }))
  }
  return []
}

function shortened(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
