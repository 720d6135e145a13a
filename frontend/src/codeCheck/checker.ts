// Checks the code blocks of pages together: one program for many blocks, because the types of packages are then read once.

import ts from 'typescript-6'
import { type CompletedBlock, complete, isChecked, LEFT_OUT, parse } from './completedBlock.ts'
import { type Candidate, certainFinding, isExpected } from './findings.ts'
import type { Block, BlockCheck, ExportEntry, Finding, NameUse, Page, PageCheck, SymbolEntry } from './messages.ts'
import { ignoredReason, isMigrationPage, isOnPurpose } from './onPurpose.ts'
import { OwnTypes, packageOfModule } from './ownTypes.ts'
import { type FileScope, freeNames, type ImportedName, importStatements, isAugmentation, scopeOf } from './pageScope.ts'
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
  missing: Map<string, ImportedName>
}

export class Checker {
  readonly #files: VirtualFiles
  readonly #framework: string | null
  readonly #own: ReadonlySet<string>
  #program: ts.Program | undefined
  #exports: Map<string, string> | undefined

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
      const augmented = new Set(files.filter((one) => one.page === file.page).flatMap((one) => [...one.scope.augmented]))
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
      const resolved = ts.resolveModuleName(module, path, program.getCompilerOptions(), this.#files.host(program.getCompilerOptions(), new Map()))
      const file = resolved.resolvedModule && program.getSourceFile(resolved.resolvedModule.resolvedFileName)
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
    const text = withoutAugmentations(source)
    const path = `/docs/${number}/${index}.tsx`
    return { page: number, index, path, block, completed: completion.block, scope, text, added: '', missing: new Map() }
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
        } else if (exports.has(name)) {
          file.missing.set(name, { module: exports.get(name) as string, imported: name, isType: false })
        } else {
          lines.push(declareAny(name, meanings))
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
    return this.#compile(new Map(files.map((file) => [file.path, `${file.text}\n;${file.added}\nexport {}`])))
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
  #exportsOf(program: ts.Program): Map<string, string> {
    if (this.#exports) return this.#exports
    const checker = program.getTypeChecker()
    const found = new Map<string, string>()
    const options = program.getCompilerOptions()
    const host = this.#files.host(options, new Map())
    const path = '/docs/names.ts'
    const modules = [...this.#own, ...(IMPLIED[this.#framework ?? ''] ?? [])]
    const names = this.#compile(new Map([[path, modules.map((module) => `import '${module}'`).join('\n')]]))
    const namesChecker = names === program ? checker : names.getTypeChecker()
    for (const module of modules) {
      const resolved = ts.resolveModuleName(module, path, options, host).resolvedModule
      const file = resolved && names.getSourceFile(resolved.resolvedFileName)
      const symbol = file && namesChecker.getSymbolAtLocation(file)
      for (const exported of symbol ? namesChecker.getExportsOfModule(symbol) : []) {
        if (exported.name !== 'default' && !found.has(exported.name)) found.set(exported.name, module)
      }
    }
    this.#exports = found
    return found
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
    const { names, uses } = namesOf(source, file, own, entries, known)
    const missing_imports = importStatements(file.missing)
    const unknown = unresolvedPackage(source, own, program)
    if (unknown) return { ...verdict('not_checkable', `the types of ${unknown} are not known`), names, missing_imports }
    const facts = { own, augmented, isAbridged: file.completed.isAbridged, isWhole: file.completed.isWhole }
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
    for (const diagnostic of program.getSemanticDiagnostics(source)) {
      const candidate = certainFinding(diagnostic, facts)
      if (candidate) report(candidate)
      else if (!isExpected(diagnostic)) uncertain += 1
    }
    for (const candidate of deprecatedUses(source, own)) report(candidate)
    if (findings.length) return { verdict: 'wrong', reason: '', findings, names, missing_imports }
    if (onPurpose) return { ...verdict('not_checkable', ON_PURPOSE), names, missing_imports }
    if (!uses) return { ...verdict('not_checkable', 'uses nothing of the packages'), names, missing_imports }
    if (uncertain) return { ...verdict('not_checkable', 'is not complete enough'), names, missing_imports }
    return { verdict: 'right', reason: '', findings: [], names, missing_imports }
  }
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

function withoutAugmentations(file: ts.SourceFile): string {
  let { text } = file
  for (const statement of file.statements) {
    if (isAugmentation(statement)) {
      text = text.slice(0, statement.getStart()) + text.slice(statement.getStart(), statement.end).replace(/[^\n]/g, ' ') + text.slice(statement.end)
    }
  }
  return text
}

const WIDE = '<_A = any, _B = any, _C = any, _D = any, _E = any>'

function declareAny(name: string, meanings: ReadonlySet<string>): string {
  const parts = []
  if (meanings.has('namespace')) parts.push(`declare namespace ${name} { type any_ = any }`)
  if (meanings.has('value')) parts.push(`declare const ${name}: any`)
  if (meanings.has('type') || meanings.has('value')) parts.push(`type ${name}${WIDE} = any`)
  return parts.join('\n')
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
): { names: NameUse[]; uses: number } {
  const names: NameUse[] = []
  let uses = 0
  const visit = (node: ts.Node) => {
    if (node.getStart(source) >= file.text.length) return
    if (ts.isIdentifier(node)) {
      const symbol = ownSymbol(node, own)
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
