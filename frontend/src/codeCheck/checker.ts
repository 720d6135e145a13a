// Checks the code blocks of pages together: one program for many blocks, because the types of packages are then read once.

import ts from 'typescript-6'
import { type CompletedBlock, complete, isChecked, LEFT_OUT, parse } from './completedBlock.ts'
import { type Candidate, certainFinding, isUndecided } from './findings.ts'
import type { Block, BlockCheck, ExportEntry, Finding, NameUse, Page, PageCheck, SymbolEntry } from './messages.ts'
import { ignoredReason, isMigrationPage, isOnPurpose, saysDeprecated } from './onPurpose.ts'
import { OwnTypes, packageOf, packageOfModule } from './ownTypes.ts'
import { type FileScope, freeNames, type ImportedName, importStatements, isAugmentation, isPlaceholderImport, scopeOf } from './pageScope.ts'
import { exportEntries, SymbolEntries } from './symbols.ts'
import { optionsFor, type VirtualFiles } from './virtualFiles.ts'

/** Findings and names of a block that are reported. A block of the docs has at most some dozens. */
const MOST_FINDINGS = 50
const MOST_NAMES = 300
const LONGEST_BLOCK = 50_000
/** Shown names of exports begin with this where another block imports them. */
const SHARED = '__shared_'

/** A block that is a file of the program. */
interface BlockFile {
  page: number
  index: number
  path: string
  block: Block
  completed: CompletedBlock
  scope: FileScope
  text: string
  added: string
  /** Names that other blocks of the page import, or that only the packages know. */
  missing: Map<string, ImportedName>
  /** Those of `missing` that no block of the page imports. */
  implied: Set<string>
}

export class Checker {
  readonly #files: VirtualFiles
  readonly #framework: string | null
  readonly #own: ReadonlySet<string>
  #program: ts.Program | undefined
  #exports: Map<string, KnownExport> | undefined
  #documented: (Documented & { own: OwnTypes }) | undefined

  /** `own` are the names of the library's packages, those of the framework first. */
  constructor(files: VirtualFiles, framework: string | null, own: readonly string[]) {
    this.#files = files
    this.#framework = framework
    this.#own = new Set(own)
  }

  /** The checks of the pages, in their order. */
  check(pages: readonly Page[]): PageCheck[] {
    const results = pages.map((page): PageCheck => ({ blocks: page.blocks.map(() => null), symbols: [] }))
    const files: BlockFile[] = []
    pages.forEach((page, number) => {
      page.blocks.forEach((block, index) => {
        if (!block || !isChecked(block.language)) return
        const made = this.#begin(page, block, number, index)
        if ('verdict' in made) (results[number] as PageCheck).blocks[index] = made
        else files.push(made)
      })
    })
    this.#addScopes(files)
    const program = this.#programOf(files)
    const own = new OwnTypes(this.#own, program.getTypeChecker())
    const entries = new SymbolEntries(own)
    const symbols = results.map(() => new Map<SymbolEntry, number>())
    for (const file of files) {
      const page = pages[file.page] as Page
      const scopes = files.filter((one) => one.page === file.page).map((one) => one.scope)
      const augmented = new Set(scopes.some((one) => one.augments) ? scopes.flatMap((one) => [...one.members]) : [])
      const known = symbols[file.page] as Map<SymbolEntry, number>
      ;(results[file.page] as PageCheck).blocks[file.index] = this.#result(page, file, program, own, entries, known, augmented)
    }
    results.forEach((result, number) => {
      result.symbols = [...(symbols[number] as Map<SymbolEntry, number>).keys()]
    })
    return results
  }

  /** All exports of the library's packages. */
  exports(modules: readonly string[]): ExportEntry[] {
    const path = '/docs/exports.ts'
    const text = modules.map((module) => `export * from '${module}'`).join('\n')
    const program = this.#compile(new Map([[path, text]]))
    const own = new OwnTypes(this.#own, program.getTypeChecker())
    return modules.flatMap((module) => {
      const file = moduleFile(module, program, this.#files)
      return file ? exportEntries(module, file, own) : []
    })
  }

  #begin(page: Page, block: Block, number: number, index: number): BlockFile | BlockCheck {
    if (block.code.length > LONGEST_BLOCK) return verdict('not_checkable', `is longer than ${LONGEST_BLOCK} characters`)
    const ignored = ignoredReason(block.code)
    if (ignored !== null) return verdict('ignored', ignored)
    const completion = complete(block)
    if (completion.kind === 'fragment') return verdict('not_checkable', completion.reason)
    if (completion.kind === 'syntax') {
      const finding = syntaxFinding(block.code, completion.position)
      if (isMigrationPage(page) || isOnPurpose(block, finding.line - 1)) return verdict('not_checkable', ON_PURPOSE)
      return { ...verdict('wrong'), findings: [finding] }
    }
    const source = parse(completion.block.text)
    const scope = scopeOf(source)
    const text = withoutAmbientCode(source)
    const path = `/docs/${number}/${index}.tsx`
    return { page: number, index, path, block, completed: completion.block, scope, text, added: '', missing: new Map(), implied: new Set() }
  }

  /** Adds what the blocks use and do not define: from earlier blocks of the page, from the packages, else as `any`. */
  #addScopes(files: readonly BlockFile[]): void {
    const program = this.#programOf(files)
    const checker = program.getTypeChecker()
    const resolver = checker as unknown as {
      resolveName: (name: string, location: undefined, meaning: ts.SymbolFlags, excludeGlobals: boolean) => ts.Symbol | undefined
    }
    const shared = new Map<BlockFile, Set<string>>()
    const exports = this.#exportsOf(program)
    const needed = files.map((file) => freeNames(program.getSourceFile(file.path) as ts.SourceFile, checker))
    files.forEach((file, at) => {
      const earlier = files.slice(0, at).filter((one) => one.page === file.page)
      const lines: string[] = []
      for (const [name, meanings] of needed[at] as Map<string, Set<string>>) {
        const source = earlier.findLast((one) => one.scope.declared.has(name) || one.scope.imports.has(name))
        const imported = source?.scope.imports.get(name)
        if (imported) {
          file.missing.set(name, imported)
        } else if (source) {
          const names = shared.get(source) ?? new Set()
          shared.set(source, names.add(name))
          lines.push(`import { ${SHARED}${name} as ${name} } from '../${source.page}/${source.index}'`)
        } else if (resolver.resolveName(name, undefined, ts.SymbolFlags.All, false)) {
          // A name of the language or the browser.
        } else if (isImplied(name, meanings, exports)) {
          file.implied.add(name)
          file.missing.set(name, { module: (exports.get(name) as KnownExport).module, imported: name, isType: false })
        } else {
          lines.push(declareInstance(name, meanings, exports) ?? declareAny(name, meanings))
        }
      }
      const imports = [...file.missing].map(([local, one]) => importLine(local, one))
      file.added = [...imports, ...lines, `declare const ${LEFT_OUT}: any; type ${LEFT_OUT} = any`].join('\n')
    })
    for (const [file, names] of shared) {
      file.added += `\nexport { ${[...names].map((name) => `${name} as ${SHARED}${name}`).join(', ')} }`
    }
  }

  #programOf(files: readonly BlockFile[]): ts.Program {
    const own = [...this.#own].map((module) => `import '${module}'`).join('\n')
    return this.#compile(new Map([...files.map((file) => [file.path, textOf(file)] as const), ['/docs/own.ts', own]]))
  }

  #compile(own: ReadonlyMap<string, string>): ts.Program {
    const options = optionsFor(this.#framework)
    const roots = [...own.keys()]
    this.#program = ts.createProgram({
      rootNames: roots,
      options,
      host: this.#files.host(options, own),
      ...(this.#program ? { oldProgram: this.#program } : {}),
    })
    return this.#program
  }

  /** The exports of the library's packages and of the framework's, by name: what a block may use without an import. */
  #exportsOf(program: ts.Program): Map<string, KnownExport> {
    if (this.#exports) return this.#exports
    const checker = program.getTypeChecker()
    const found = new Map<string, KnownExport>()
    const path = '/docs/names.ts'
    const modules = [...this.#own, ...(IMPLIED[this.#framework ?? ''] ?? [])]
    const names = this.#compile(new Map([[path, modules.map((module) => `import '${module}'`).join('\n')]]))
    const namesChecker = names === program ? checker : names.getTypeChecker()
    for (const module of modules) {
      const file = moduleFile(module, names, this.#files)
      const symbol = file && namesChecker.getSymbolAtLocation(file)
      for (const exported of symbol ? namesChecker.getExportsOfModule(symbol) : []) {
        if (exported.name === 'default' || found.has(exported.name)) continue
        const target = exported.flags & ts.SymbolFlags.Alias ? namesChecker.getAliasedSymbol(exported) : exported
        const declaredIn = packageOf(target.declarations?.[0]?.getSourceFile().fileName ?? '')
        found.set(exported.name, { module, declaredIn, parameters: this.#own.has(declaredIn) ? parametersOf(target) : null })
      }
    }
    this.#exports = found
    return found
  }

  #documentedBy(own: OwnTypes): Documented {
    if (this.#documented?.own === own) return this.#documented
    const exports = new Map<string, ts.Symbol>()
    const found = new Map<string, { owner: string; symbol: ts.Symbol }[]>()
    for (const module of this.#own) {
      const file = this.#program && moduleFile(module, this.#program, this.#files)
      const symbol = file && own.checker.getSymbolAtLocation(file)
      for (const exported of symbol ? own.checker.getExportsOfModule(symbol) : []) {
        const target = exported.flags & ts.SymbolFlags.Alias ? own.checker.getAliasedSymbol(exported) : exported
        if (own.packageOf(target) && !exports.has(exported.name)) exports.set(exported.name, target)
        // Only declared members: those that a type inherits are of another one, and computing them takes seconds.
        for (const member of declaredMembers(target, own.checker)) {
          if (!own.packageOf(member)) continue
          const same = found.get(member.name) ?? []
          if (!same.some((one) => one.owner === exported.name)) found.set(member.name, [...same, { owner: exported.name, symbol: member }])
        }
      }
    }
    this.#documented = { own, exports, members: found }
    return this.#documented
  }

  #result(
    page: Page,
    file: BlockFile,
    program: ts.Program,
    own: OwnTypes,
    entries: SymbolEntries,
    known: Map<SymbolEntry, number>,
    augmented: ReadonlySet<string>,
  ): BlockCheck {
    const source = program.getSourceFile(file.path) as ts.SourceFile
    // First of all: what names mean is then known, and not computed again for each of them.
    const diagnostics = program.getSemanticDiagnostics(source)
    const { names, uses } = namesOf(source, file, own, entries, known, page, () => this.#documentedBy(own))
    const missing_imports = importStatements(file.missing)
    const unknown = unresolvedPackage(source, own, program)
    if (unknown) return { ...verdict('not_checkable', `the types of ${unknown} are not known`), names, missing_imports }
    const { isAbridged, isWhole } = file.completed
    const facts = { own, augmented, isAbridged, isWhole, imported: new Set(file.scope.imports.keys()) }
    const findings: Finding[] = []
    let uncertain = 0
    let onPurpose = false
    const isOldPage = isMigrationPage(page)
    const report = (candidate: Candidate) => {
      const start = file.completed.original(candidate.position)
      if (start === undefined || candidate.position >= file.text.length) return
      const finding = findingAt(file.block.code, start, candidate)
      if (isOldPage || isOnPurpose(file.block, finding.line - 1)) onPurpose = true
      else if (findings.length < MOST_FINDINGS && !findings.some((one) => one.line === finding.line && one.column === finding.column)) findings.push(finding)
    }
    for (const diagnostic of diagnostics) {
      const candidate = certainFinding(diagnostic, facts)
      if (candidate) report(candidate)
      else if (isUndecided(diagnostic, facts)) uncertain += 1
    }
    for (const candidate of deprecatedUses(source, own)) {
      if (!file.implied.has(candidate.name) && !saysDeprecated(page, candidate.name)) report(candidate)
    }
    if (findings.length) return { verdict: 'wrong', reason: '', findings, names, missing_imports }
    if (onPurpose) return { ...verdict('not_checkable', ON_PURPOSE), names, missing_imports }
    if (!uses) return { ...verdict('not_checkable', 'uses nothing of the packages'), names, missing_imports }
    if (uncertain) return { ...verdict('not_checkable', 'is not complete enough'), names, missing_imports }
    return { verdict: 'right', reason: '', findings: [], names, missing_imports }
  }
}

/** The members in the declarations of an interface, a class or a type alias of an object. */
function declaredMembers(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] {
  return (symbol.declarations ?? []).flatMap((declaration) => {
    const body = ts.isTypeAliasDeclaration(declaration) ? declaration.type : declaration
    if (!ts.isInterfaceDeclaration(body) && !ts.isClassDeclaration(body) && !ts.isTypeLiteralNode(body)) return []
    return body.members.flatMap((member: ts.TypeElement | ts.ClassElement) => {
      const found = member.name && checker.getSymbolAtLocation(member.name)
      return found ? [found] : []
    })
  })
}

/** The declarations of a module, if the program has them. */
function moduleFile(module: string, program: ts.Program, files: VirtualFiles): ts.SourceFile | undefined {
  const options = program.getCompilerOptions()
  const resolved = ts.resolveModuleName(module, '/docs/names.ts', options, files.host(options, new Map())).resolvedModule
  return resolved && program.getSourceFile(resolved.resolvedFileName)
}

/** An export that a block may use without an import. `parameters` are the type parameters of a class or an interface of the
 * library; null for others. */
interface KnownExport {
  module: string
  declaredIn: string
  parameters: number | null
}

function parametersOf(symbol: ts.Symbol): number | null {
  const declaration = symbol.declarations?.find((one) => ts.isClassDeclaration(one) || ts.isInterfaceDeclaration(one))
  return declaration ? ((declaration as ts.ClassDeclaration).typeParameters?.length ?? 0) : null
}

const textOf = (file: BlockFile) => `${file.text}\n;${file.added}\nexport {}`

/** What examples of a framework use without an import. */
const IMPLIED: Record<string, readonly string[]> = {
  react: ['react'],
  preact: ['preact', 'preact/hooks'],
  solid: ['solid-js'],
  vue: ['vue'],
  angular: ['@angular/core'],
  svelte: ['svelte'],
}

const ON_PURPOSE = 'shows on purpose what is old or wrong'

function verdict(value: BlockCheck['verdict'], reason = ''): BlockCheck {
  return { verdict: value, reason, findings: [], names: [], missing_imports: [] }
}

function syntaxFinding(code: string, position: number): Finding {
  return findingAt(code, Math.min(position, code.length), {
    position,
    length: 1,
    kind: 'syntax',
    name: '',
    package: '',
    message: 'The code does not parse.',
    suggestion: '',
  })
}

function findingAt(code: string, start: number, candidate: Candidate): Finding {
  const before = code.slice(0, start)
  const line = before.split('\n').length
  const column = start - (before.lastIndexOf('\n') + 1) + 1
  const { position: _, ...rest } = candidate
  return { line, column, ...rest }
}

function withoutAmbientCode(file: ts.SourceFile): string {
  let { text } = file
  for (const statement of file.statements) {
    if (isAugmentation(statement) || isPlaceholderImport(statement)) {
      text = text.slice(0, statement.getStart()) + text.slice(statement.getStart(), statement.end).replace(/[^\n]/g, ' ') + text.slice(statement.end)
    }
  }
  return text
}

const WIDE = '<_A = any, _B = any, _C = any, _D = any, _E = any>'

function declareAny(name: string, meanings: ReadonlySet<string>): string {
  const parts = []
  if (meanings.has('namespace')) parts.push(`declare namespace ${name} { type any_ = any }`)
  if (['value', 'made', 'element'].some((one) => meanings.has(one))) parts.push(`declare const ${name}: any`)
  parts.push(`type ${name}${WIDE} = any`)
  return parts.join('\n')
}

/** Whether a name that no block of the page imports is taken for the export with this name. A component or a class of this name
 * may be the reader's own. */
function isImplied(name: string, meanings: ReadonlySet<string>, exports: ReadonlyMap<string, KnownExport>): boolean {
  const known = exports.get(name)
  if (!known) return false
  if (/^[a-z]/.test(name) || meanings.has('made')) return true
  return meanings.has('element') ? known.parameters === null : !meanings.has('value')
}

/** What functions begin with that make an instance: `useQuery`, `injectQuery`, `createQuery`. */
const MAKERS = ['use', 'inject', 'create']

/** `queryClient` is taken for a `QueryClient`, and `form` for what `useForm` returns: docs call an instance so where they do not
 * show how it is made. Nothing is known of `query`, which may be a `Query` or what `useQuery` of another package returns. */
function declareInstance(name: string, meanings: ReadonlySet<string>, exports: ReadonlyMap<string, KnownExport>): string | null {
  if (meanings.has('type') || meanings.has('namespace') || !/^[a-z]/.test(name)) return null
  const titled = name.slice(0, 1).toUpperCase() + name.slice(1)
  const type = exports.get(titled)
  const maker = MAKERS.map((prefix) => prefix + titled).find((one) => exports.has(one))
  const made = maker ? exports.get(maker) : undefined
  if (type && type.parameters !== null) {
    if (made && made.declaredIn !== type.declaredIn) return null
    const given = type.parameters ? `<${Array.from({ length: type.parameters }, () => 'any').join(', ')}>` : ''
    return `declare const ${name}: import('${type.module}').${titled}${given}`
  }
  if (made) return type ? null : `declare const ${name}: ReturnType<typeof import('${made.module}').${maker}>`
  const any = exports.get(`Any${titled}Api`)
  return any ? `declare const ${name}: import('${any.module}').Any${titled}Api` : null
}

function importLine(local: string, { module, imported }: ImportedName): string {
  if (imported === 'default') return `import ${local} from '${module}'`
  return imported === '*' ? `import * as ${local} from '${module}'` : `import { ${imported} as ${local} } from '${module}'`
}

/** One of the library's packages that the file imports and whose types are missing. */
function unresolvedPackage(file: ts.SourceFile, own: OwnTypes, _program: ts.Program): string {
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const { text } = statement.moduleSpecifier
    if (!own.names.has(text)) continue
    if (!own.checker.getSymbolAtLocation(statement.moduleSpecifier)) return packageOfModule(text)
  }
  return ''
}

/** The names of the library in a file, and how many of them are used beside their imports. */
function namesOf(
  source: ts.SourceFile,
  file: BlockFile,
  own: OwnTypes,
  entries: SymbolEntries,
  known: Map<SymbolEntry, number>,
  page: Page,
  documented: () => Documented,
): { names: NameUse[]; uses: number } {
  const names: NameUse[] = []
  let uses = 0
  const visit = (node: ts.Node) => {
    if (node.getStart(source) >= file.text.length) return
    if (ts.isIdentifier(node)) {
      const symbol =
        ownSymbol(node, own) ??
        (file.completed.isMembers ? documentedMember(node, page, documented) : documentedType(node, page, documented))
      const start = symbol && file.completed.original(node.getStart(source))
      if (symbol && start !== undefined && names.length < MOST_NAMES) {
        const entry = entries.of(symbol)
        const number = known.get(entry) ?? known.size
        known.set(entry, number)
        names.push({ start, length: node.end - node.getStart(source), symbol: number })
        uses += 1
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { names: names.sort((a, b) => a.start - b.start), uses }
}

/** What an API reference may document: the exports of the library, and the members of its types by their names. */
interface Documented {
  exports: ReadonlyMap<string, ts.Symbol>
  members: Members
}

type Members = ReadonlyMap<string, readonly { owner: string; symbol: ts.Symbol }[]>

/** The export or the option that a block declares, as API references do: `type RouteOptions = …`. */
function documentedType(node: ts.Identifier, page: Page, documented: () => Documented): ts.Symbol | undefined {
  const declaration = node.parent
  const isName =
    (ts.isTypeAliasDeclaration(declaration) || ts.isInterfaceDeclaration(declaration) || (ts.isFunctionDeclaration(declaration) && !declaration.body)) &&
    declaration.name === node
  if (!isName || !ts.isSourceFile(declaration.parent) || !/(?:^|\/)(?:api|reference)\//.test(page.path)) return undefined
  const { exports, members } = documented()
  return exports.get(node.text) ?? members.get(node.text)?.[0]?.symbol
}

/** The member that a block declares, as API references do: that of the type in the page's title, or the only one of this name. */
function documentedMember(node: ts.Identifier, page: Page, documented: () => Documented): ts.Symbol | undefined {
  const declaration = node.parent
  const isName = (ts.isPropertySignature(declaration) || ts.isMethodSignature(declaration)) && declaration.name === node
  if (!isName || !ts.isInterfaceDeclaration(declaration.parent)) return undefined
  const found = documented().members.get(node.text) ?? []
  const words = new Set(page.title.split(/\W+/))
  const titled = found.find((one) => words.has(one.owner) || words.has(`${one.owner}s`))
  return (titled ?? (found.length ? found[0] : undefined))?.symbol
}

/** The symbol of the library that an identifier refers to. */
function ownSymbol(node: ts.Identifier, own: OwnTypes): ts.Symbol | undefined {
  const { checker } = own
  const property = node.parent
  let symbol: ts.Symbol | undefined
  if ((ts.isPropertyAssignment(property) || ts.isShorthandPropertyAssignment(property) || ts.isMethodDeclaration(property)) && property.name === node && ts.isObjectLiteralExpression(property.parent)) {
    const type = checker.getContextualType(property.parent)
    symbol = type && propertyOf(type, node.text, checker)
    if (!symbol && ts.isShorthandPropertyAssignment(property)) symbol = checker.getShorthandAssignmentValueSymbol(property)
  } else if (ts.isBindingElement(property) && ts.isObjectBindingPattern(property.parent) && (property.propertyName ?? property.name) === node) {
    symbol = propertyOf(checker.getTypeAtLocation(property.parent), node.text, checker)
  } else if (ts.isJsxAttribute(property) && property.name === node) {
    const type = checker.getContextualType(property.parent)
    symbol = type && propertyOf(type, node.text, checker)
  } else {
    symbol = checker.getSymbolAtLocation(node)
  }
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
  return symbol && own.packageOf(symbol) && !(symbol.flags & ts.SymbolFlags.TypeParameter) ? symbol : undefined
}

function propertyOf(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Symbol | undefined {
  const whole = checker.getNonNullableType(type)
  for (const part of whole.isUnion() ? whole.types : [whole]) {
    const found = checker.getPropertyOfType(part, name)
    if (found) return found
  }
  return undefined
}

/** Uses of deprecated symbols and signatures of the library. The compiler has them as suggestions, which its types leave out. */
function deprecatedUses(source: ts.SourceFile, own: OwnTypes): Candidate[] {
  const suggestions = own.checker as unknown as { getSuggestionDiagnostics: (file: ts.SourceFile) => readonly ts.DiagnosticWithLocation[] }
  const found: Candidate[] = []
  for (const diagnostic of suggestions.getSuggestionDiagnostics(source)) {
    if (diagnostic.code !== 6385 && diagnostic.code !== 6387) continue
    const name = source.text.slice(diagnostic.start, diagnostic.start + diagnostic.length)
    const token = identifierAt(source, diagnostic.start)
    const symbol = token && ownSymbol(token, own)
    const owner = own.packageOf(symbol)
    if (!symbol || !owner || (token && ts.isImportSpecifier(token.parent))) continue
    const tag = symbol.getJsDocTags(own.checker).find((one) => one.name === 'deprecated')
    const said = ts.displayPartsToString(tag?.text).replace(/\s+/g, ' ').trim().slice(0, 200)
    const subject = diagnostic.code === 6387 ? `This signature of \`${token?.text ?? name}\`` : `\`${token?.text ?? name}\``
    found.push({
      position: diagnostic.start,
      length: diagnostic.length,
      kind: 'deprecated',
      name: token?.text ?? name,
      package: owner,
      message: `${subject} is deprecated${said ? `: ${said}` : '.'}`,
      suggestion: '',
    })
  }
  return found
}

function identifierAt(file: ts.SourceFile, position: number): ts.Identifier | undefined {
  let found: ts.Identifier | undefined
  const visit = (node: ts.Node) => {
    if (found || position < node.getStart(file) || position >= node.end) return
    if (ts.isIdentifier(node)) found = node
    else ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
