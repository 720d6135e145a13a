// What the library exports, and what a block means by a name that nothing defines.

import ts from 'typescript-6'
import type { Meaning } from './freeNames.ts'
import { packageOf } from './ownTypes.ts'
import type { VirtualFiles } from './virtualFiles.ts'

/** The declarations of a module, if the program has them. */
export function moduleFile(module: string, program: ts.Program, files: VirtualFiles): ts.SourceFile | undefined {
  const options = program.getCompilerOptions()
  const resolved = ts.resolveModuleName(module, '/docs/names.ts', options, files.host(options, new Map())).resolvedModule
  return resolved && program.getSourceFile(resolved.resolvedFileName)
}

/** The exports of a module by their names, aliases resolved. */
export function exportsOf(module: string, program: ts.Program, files: VirtualFiles): ReadonlyMap<string, ts.Symbol> {
  const checker = program.getTypeChecker()
  const file = moduleFile(module, program, files)
  const symbol = file && checker.getSymbolAtLocation(file)
  const found = new Map<string, ts.Symbol>()
  for (const exported of symbol ? checker.getExportsOfModule(symbol) : []) {
    if (exported.name === 'default') continue
    found.set(exported.name, exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported)
  }
  return found
}

/** An export that a block may use without an import. `parameters` are the type parameters of a class or an interface of the
 * library; null for others. */
export interface KnownExport {
  module: string
  /** The name of the type that a function of the library returns. */
  returns: string
  parameters: number | null
}

const MAKER = /^(?:use|inject|create)[A-Z]/

function returnedType(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const type = checker.getTypeOfSymbol(symbol).getCallSignatures()[0]?.getReturnType()
  return type?.aliasSymbol?.name ?? type?.symbol?.name ?? ''
}

function parametersOf(symbol: ts.Symbol): number | null {
  const declaration = symbol.declarations?.find((one) => ts.isClassDeclaration(one) || ts.isInterfaceDeclaration(one))
  return declaration ? ((declaration as ts.ClassDeclaration).typeParameters?.length ?? 0) : null
}

/** What examples of a framework use without an import. */
const IMPLIED: Record<string, readonly string[]> = {
  react: ['react'],
  preact: ['preact', 'preact/hooks'],
  solid: ['solid-js'],
  vue: ['vue'],
  angular: ['@angular/core'],
  svelte: ['svelte'],
}

/** The modules whose exports examples of a framework use without an import. */
export const impliedModules = (framework: string | null): readonly string[] => IMPLIED[framework ?? ''] ?? []

/** The exports of modules by name: what a block may use without an import. Of one name, the first module's. */
export function knownExports(
  modules: readonly string[],
  program: ts.Program,
  files: VirtualFiles,
  own: ReadonlySet<string>,
): Map<string, KnownExport> {
  const found = new Map<string, KnownExport>()
  for (const module of modules) {
    for (const [name, symbol] of exportsOf(module, program, files)) {
      if (found.has(name)) continue
      const isOwn = own.has(packageOf(symbol.declarations?.[0]?.getSourceFile().fileName ?? ''))
      const returns = isOwn && MAKER.test(name) ? returnedType(symbol, program.getTypeChecker()) : ''
      found.set(name, { module, returns, parameters: isOwn ? parametersOf(symbol) : null })
    }
  }
  return found
}

const WIDE = '<_A = any, _B = any, _C = any, _D = any, _E = any>'

export function declareAny(name: string, meanings: ReadonlySet<Meaning>): string {
  const parts = []
  if (meanings.has('namespace')) parts.push(`declare namespace ${name} { type any_ = any }`)
  if ((['value', 'made', 'element'] as const).some((one) => meanings.has(one))) parts.push(`declare const ${name}: any`)
  parts.push(`type ${name}${WIDE} = any`)
  return parts.join('\n')
}

/** Whether a name that no block of the page imports is taken for the export with this name. A component or a class of this name
 * may be the reader's own. */
export function isImplied(name: string, meanings: ReadonlySet<Meaning>, exports: ReadonlyMap<string, KnownExport>): boolean {
  const known = exports.get(name)
  if (!known) return false
  if (/^[a-z]/.test(name) || meanings.has('made')) return true
  return meanings.has('element') ? known.parameters === null : !meanings.has('value')
}

/** Functions that may make what is called `query`: `useQuery`, `injectInfiniteQuery`, `createQueryController`. */
const makersOf = (titled: string) => new RegExp(`^(?:use|inject|create)\\w*${titled}(?:Controller)?$`)

/** `queryClient` is taken for a `QueryClient`, and `form` for what `useForm` returns: docs call an instance so where they do not
 * show how it is made. Nothing is known of `query`, which may be a `Query` or what `useQuery` returns. */
export function declareInstance(name: string, meanings: ReadonlySet<Meaning>, exports: ReadonlyMap<string, KnownExport>): string | null {
  if (meanings.has('type') || meanings.has('namespace') || !/^[a-z]\w*$/.test(name)) return null
  const titled = name.slice(0, 1).toUpperCase() + name.slice(1)
  const type = exports.get(titled)
  if (type && type.parameters !== null) {
    const pattern = makersOf(titled)
    const isOther = [...exports].some(([maker, { returns }]) => pattern.test(maker) && returns !== titled)
    return isOther ? null : declareOf(name, titled, type)
  }
  const maker = ['use', 'create'].map((prefix) => prefix + titled).find((one) => exports.has(one))
  if (maker) return `declare const ${name}: ReturnType<typeof import('${(exports.get(maker) as KnownExport).module}').${maker}>`
  const any = exports.get(`Any${titled}Api`)
  return any && !exports.has(`inject${titled}`) ? `declare const ${name}: import('${any.module}').Any${titled}Api` : null
}

function declareOf(name: string, type: string, { module, parameters }: KnownExport): string {
  const given = parameters ? `<${Array.from({ length: parameters }, () => 'any').join(', ')}>` : ''
  return `declare const ${name}: import('${module}').${type}${given}`
}
