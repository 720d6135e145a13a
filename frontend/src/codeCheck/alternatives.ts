// Alternatives of the same names in one block: "const a = …" twice.

import ts from 'typescript-6'

/** Spaces instead of the text, so that positions stay. */
export const blank = (text: string) => text.replace(/[^\n]/g, ' ')

interface Insertion {
  at: number
  text: string
}

interface Separated {
  text: string
  /** The position in the given text of one in this text; undefined for text that was added. */
  original: (position: number) => number | undefined
}

/** Puts statements from one that declares a name again into a block of their own, so that each alternative is checked. */
export function separateAlternatives(file: ts.SourceFile): Separated | null {
  const separation = new Separation(file)
  for (const statement of file.statements) {
    const isPossible = ts.isImportDeclaration(statement) ? separation.addImport(statement) : separation.addStatement(statement)
    if (!isPossible) return null
  }
  return separation.separated()
}

/** The text of a file while its statements are read. Text is only replaced by spaces until the end. */
class Separation {
  readonly #file: ts.SourceFile
  readonly #insertions: Insertion[] = []
  readonly #imported = new Set<string>()
  #text: string
  #declared = new Set<string>()
  #isInBlock = false
  #hoisted = ''

  constructor(file: ts.SourceFile) {
    this.#file = file
    this.#text = file.text
  }

  /** False for the import of a name that another module was imported for: that is an alternative, which cannot be separated. */
  addImport(statement: ts.ImportDeclaration): boolean {
    const names = importedNames(statement)
    if (names.some((name) => this.#imported.has(name))) {
      if (!isRepeated(statement, this.#file)) return false
      this.#remove(statement)
    } else if (this.#isInBlock) {
      // Only the top of a file may import: the statement moves to the end.
      this.#remove(statement)
      this.#hoisted += `\n${statement.getText()}`
    }
    for (const name of names) this.#imported.add(name)
    return true
  }

  addStatement(statement: ts.Statement): boolean {
    const names = declaredNames(statement)
    if (names.some((name) => this.#declared.has(name) || this.#imported.has(name))) {
      this.#insertions.push({ at: statement.getStart(), text: this.#isInBlock ? '}{' : '{' })
      this.#declared = new Set()
      this.#isInBlock = true
    }
    if (this.#isInBlock) this.#removeExports(statement)
    for (const name of names) this.#declared.add(name)
    return true
  }

  separated(): Separated {
    const insertions = this.#isInBlock
      ? [...this.#insertions, { at: this.#text.length, text: `\n}${this.#hoisted}` }]
      : this.#insertions
    let made = ''
    let at = 0
    for (const insertion of insertions) {
      made += this.#text.slice(at, insertion.at) + insertion.text
      at = insertion.at
    }
    return { text: made + this.#text.slice(at), original: (position) => beforeInsertions(position, insertions) }
  }

  /** A block may not export. */
  #removeExports(statement: ts.Statement): void {
    if (ts.isExportAssignment(statement) || ts.isExportDeclaration(statement)) {
      this.#remove(statement)
      return
    }
    for (const modifier of ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []) {
      if (modifier.kind === ts.SyntaxKind.ExportKeyword || modifier.kind === ts.SyntaxKind.DefaultKeyword) this.#remove(modifier)
    }
  }

  #remove(node: ts.Node): void {
    this.#text = this.#text.slice(0, node.getStart()) + blank(node.getText()) + this.#text.slice(node.end)
  }
}

function beforeInsertions(position: number, insertions: readonly Insertion[]): number | undefined {
  let shift = 0
  for (const insertion of insertions) {
    if (position < insertion.at + shift) break
    if (position < insertion.at + shift + insertion.text.length) return undefined
    shift += insertion.text.length
  }
  return position - shift
}

function importedNames(statement: ts.ImportDeclaration): string[] {
  const clause = statement.importClause
  const named = clause?.namedBindings
  const others = !named ? [] : ts.isNamespaceImport(named) ? [named.name.text] : named.elements.map((one) => one.name.text)
  return [...(clause?.name ? [clause.name.text] : []), ...others]
}

/** Whether an earlier import of the file has the same names of the same module. */
function isRepeated(statement: ts.ImportDeclaration, file: ts.SourceFile): boolean {
  const names = new Set(importedNames(statement))
  const earlier = file.statements.filter(
    (other): other is ts.ImportDeclaration =>
      ts.isImportDeclaration(other) &&
      other.pos < statement.pos &&
      (other.moduleSpecifier as ts.StringLiteral).text === (statement.moduleSpecifier as ts.StringLiteral).text,
  )
  for (const other of earlier) for (const name of importedNames(other)) names.delete(name)
  return names.size === 0
}

/** Names of values and classes that a statement declares. Interfaces may be declared twice. */
export function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap((declaration) => boundNames(declaration.name))
  }
  if (ts.isFunctionDeclaration(statement)) return statement.name && statement.body ? [statement.name.text] : []
  if (ts.isClassDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isEnumDeclaration(statement)) {
    return statement.name ? [statement.name.text] : []
  }
  return []
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []))
}
