// Uses of what the library marks as deprecated.

import ts from 'typescript-6'
import type { Candidate } from './candidate.ts'
import { ownSymbol } from './names.ts'
import type { OwnTypes } from './ownTypes.ts'

/** Uses of deprecated symbols and signatures of the library. The compiler has them as suggestions, which its types leave out. */
export function deprecatedUses(source: ts.SourceFile, own: OwnTypes): Candidate[] {
  const suggestions = own.checker as unknown as { getSuggestionDiagnostics: (file: ts.SourceFile) => readonly ts.DiagnosticWithLocation[] }
  return suggestions.getSuggestionDiagnostics(source).flatMap((diagnostic) => {
    const token = DEPRECATED.has(diagnostic.code) ? identifierAt(source, diagnostic.start) : undefined
    const found = token && !ts.isImportSpecifier(token.parent) ? deprecatedUse(token, diagnostic, own) : null
    return found ? [found] : []
  })
}

const SIGNATURE = 6387
/** A deprecated symbol, or a signature of one. */
const DEPRECATED = new Set([6385, SIGNATURE])

function deprecatedUse(token: ts.Identifier, diagnostic: ts.DiagnosticWithLocation, own: OwnTypes): Candidate | null {
  const symbol = ownSymbol(token, own)
  const owner = own.packageOf(symbol)
  if (!symbol || !owner) return null
  const tag = symbol.getJsDocTags(own.checker).find((one) => one.name === 'deprecated')
  const said = ts.displayPartsToString(tag?.text).replace(/\s+/g, ' ').trim().slice(0, 200)
  const subject = diagnostic.code === SIGNATURE ? `This signature of \`${token.text}\`` : `\`${token.text}\``
  return {
    position: diagnostic.start,
    length: diagnostic.length,
    kind: 'deprecated',
    name: token.text,
    package: owner,
    message: `${subject} is deprecated${said ? `: ${said}` : '.'}`,
    suggestion: '',
  }
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
