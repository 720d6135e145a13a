// Checks the code blocks of pages together: one program for many blocks, because the types of packages are then read once.

import ts from 'typescript-6'
import { complete, isChecked, LEFT_OUT, parse } from './completedBlock.ts'
import type { Candidate } from './candidate.ts'
import { deprecatedUses } from './deprecatedUses.ts'
import { certainFinding, isUndecided } from './findings.ts'
import { freeNames, type Meaning } from './freeNames.ts'
import {
  declareAny,
  declareInstance,
  impliedModules,
  isImplied,
  type KnownExport,
  knownExports,
  moduleFile,
} from './libraryExports.ts'
import type { Block, BlockCheck, ExportEntry, Finding, Page, PageCheck, SymbolEntry } from './messages.ts'
import { type Documented, documentedBy, type NamedFile, namesOf } from './names.ts'
import { ignoredReason, isMigrationPage, isOnPurpose, saysDeprecated } from './onPurpose.ts'
import { OwnTypes, packageOfModule } from './ownTypes.ts'
import { type FileScope, type ImportedName, importStatements, scopeOf, withoutAmbientCode } from './pageScope.ts'
import { exportEntries, SymbolEntries } from './symbols.ts'
import { optionsFor, type VirtualFiles } from './virtualFiles.ts'

/** Findings of a block that are reported. */
const MOST_FINDINGS = 50
const LONGEST_BLOCK = 50_000
/** What a block exports to later blocks has names that begin with this. */
const SHARED = '__shared_'

/** A block that is a file of the program. */
interface BlockFile extends NamedFile {
  page: number
  index: number
  path: string
  block: Block
  scope: FileScope
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
    const added = pages.map((_, number) => addedMembers(files.filter((file) => file.page === number)))
    for (const file of files) {
      const page = pages[file.page] as Page
      const augmented = added[file.page] as ReadonlySet<string>
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
    const exports = this.#knownExports()
    const program = this.#programOf(files)
    const checker = program.getTypeChecker()
    const resolver = checker as unknown as {
      resolveName: (name: string, location: undefined, meaning: ts.SymbolFlags, excludeGlobals: boolean) => ts.Symbol | undefined
    }
    const shared = new Map<BlockFile, Set<string>>()
    const needed = files.map((file) => freeNames(program.getSourceFile(file.path) as ts.SourceFile, checker))
    files.forEach((file, at) => {
      const earlier = files.slice(0, at).filter((one) => one.page === file.page)
      const lines: string[] = []
      for (const [name, meanings] of needed[at] as Map<string, Set<Meaning>>) {
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
      file.added = [...importStatements(file.missing), ...lines, `declare const ${LEFT_OUT}: any; type ${LEFT_OUT} = any`].join('\n')
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

  #knownExports(): Map<string, KnownExport> {
    if (!this.#exports) {
      const modules = [...this.#own, ...impliedModules(this.#framework)]
      const program = this.#compile(new Map([['/docs/names.ts', modules.map((module) => `import '${module}'`).join('\n')]]))
      this.#exports = knownExports(modules, program, this.#files, this.#own)
    }
    return this.#exports
  }

  #documentedBy(own: OwnTypes, program: ts.Program): Documented {
    if (this.#documented?.own !== own) this.#documented = { own, ...documentedBy(this.#own, program, this.#files, own) }
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
    const { names, uses } = namesOf(source, file, own, entries, known, page, () => this.#documentedBy(own, program))
    const missing_imports = importStatements(file.missing)
    const unknown = unresolvedPackage(source, own)
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

/** Members that a page adds to interfaces of packages, by an augmentation in any of its blocks. */
function addedMembers(files: readonly BlockFile[]): ReadonlySet<string> {
  const scopes = files.map((file) => file.scope)
  return new Set(scopes.some((one) => one.augments) ? scopes.flatMap((one) => Array.from(one.members)) : [])
}

const textOf = (file: BlockFile) => `${file.text}\n;${file.added}\nexport {}`

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

/** One of the library's packages that the file imports and whose types are missing. */
function unresolvedPackage(file: ts.SourceFile, own: OwnTypes): string {
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const { text } = statement.moduleSpecifier
    if (!own.names.has(text)) continue
    if (!own.checker.getSymbolAtLocation(statement.moduleSpecifier)) return packageOfModule(text)
  }
  return ''
}

