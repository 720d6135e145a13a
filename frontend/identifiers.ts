// Prints the identifiers, comments and imports of each file in src as JSON, for tests/project/test_language.py.
import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { parseSync } from 'vite'

const SOURCE = `${import.meta.dirname}/src`
const NAMED = new Set(['Identifier', 'JSXIdentifier', 'PrivateIdentifier'])

function* identifiers(node: unknown): Generator<string> {
  if (Array.isArray(node)) {
    for (const child of node) yield* identifiers(child)
  } else if (typeof node === 'object' && node !== null) {
    if ('type' in node && 'name' in node && NAMED.has(String(node.type))) yield String(node.name)
    for (const child of Object.values(node)) yield* identifiers(child)
  }
}

const files = globSync(`${SOURCE}/**/*.{ts,tsx}`)
const parsed = files.map((file) => {
  const { program, comments, module } = parseSync(file, readFileSync(file, 'utf8'))
  const imports = [...module.staticImports, ...module.staticExports.flatMap((one) => one.entries)].flatMap((one) =>
    one.moduleRequest ? [one.moduleRequest.value] : [],
  )
  const found = { identifiers: [...new Set(identifiers(program))], comments: comments.map((one) => one.value), imports }
  return [relative(SOURCE, file), found] as const
})
process.stdout.write(JSON.stringify(Object.fromEntries(parsed)))
