// Which symbols and types are of the library's own packages.

import ts from 'typescript-6'

const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//

/** The package of a file; empty for files of no package. */
export function packageOf(path: string): string {
  return PACKAGE.exec(path)?.[1] ?? ''
}

/** The package that a module specifier names. */
export function packageOfModule(module: string): string {
  const parts = module.split('/')
  return module.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '')
}

export class OwnTypes {
  readonly names: ReadonlySet<string>
  readonly checker: ts.TypeChecker

  constructor(names: ReadonlySet<string>, checker: ts.TypeChecker) {
    this.names = names
    this.checker = checker
  }

  /** The library's package that declares the symbol; empty if none does. */
  packageOf(symbol: ts.Symbol | undefined): string {
    for (const declaration of symbol?.declarations ?? []) {
      const found = packageOf(declaration.getSourceFile().fileName)
      if (this.names.has(found)) return found
    }
    return ''
  }

  /** The package of a type whose known properties are all of the library. Empty for a type that code of the page or
   * another package takes part in. */
  packageOfType(type: ts.Type): string {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return ''
    const named = this.packageOf(type.aliasSymbol) || this.packageOf(type.symbol)
    const properties = this.checker.getPropertiesOfType(this.checker.getApparentType(type))
    if (!properties.length) return ''
    let found = named
    for (const property of properties) {
      const declarations = property.declarations ?? []
      if (!declarations.length) continue
      const owner = this.packageOf(property)
      if (!owner) {
        const isOfLanguage = declarations.every((one) => one.getSourceFile().fileName.startsWith('/lib/'))
        if (isOfLanguage && named) continue
        return ''
      }
      found ||= owner
    }
    return found
  }

  /** Whether some constituent of the type has the property, or any property. */
  mayHave(type: ts.Type, name: string): boolean {
    const parts = type.isUnion() ? type.types : [type]
    return parts.some(
      (part) =>
        Boolean(part.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) ||
        this.checker.getPropertyOfType(this.checker.getApparentType(part), name) !== undefined ||
        this.checker.getIndexInfosOfType(part).length > 0,
    )
  }
}
