// Places and names in messages about code.

import ts from 'typescript-6'

export function describe(type: ts.Type, checker: ts.TypeChecker): string {
  const name = type.aliasSymbol?.name ?? type.symbol?.name ?? ''
  if (/^\w+$/.test(name) && !name.startsWith('__')) return `\`${name}\``
  return `\`${shorten(checker.typeToString(type))}\``
}

export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

export const nameText = (node: ts.Node) => (ts.isStringLiteralLike(node) ? node.text : node.getText())

export const placeOf = (node: ts.Node) => ({ position: node.getStart(), length: node.end - node.getStart() })

export function tokenAt(file: ts.SourceFile, position: number): ts.Node {
  let at: ts.Node = file
  for (;;) {
    const inner: ts.Node | undefined = ts.forEachChild(at, (child) =>
      child.getStart() <= position && position < child.end ? child : undefined,
    )
    if (!inner) return at
    at = inner
  }
}

/** The known name with the fewest changes, if they are at most a third of its letters. */
export function nearest(name: string, known: readonly string[]): string {
  let best = ''
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const one of known) {
    if (Math.abs(one.length - name.length) >= fewest) continue
    const changes = distance(name.toLowerCase(), one.toLowerCase())
    if (changes < fewest && one !== name) [best, fewest] = [one, changes]
  }
  return best
}

export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length] as number
}
