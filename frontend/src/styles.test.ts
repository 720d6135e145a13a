// Where styles are: beside their component, each class in one file, each file below 500 lines.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = new URL('.', import.meta.url).pathname
const FILES = globSync('**/*.css', { cwd: FOLDER })
/** Classes that only say where a rule applies. `prose` is the scope of everything that Markdown becomes. */
const SCOPES = new Set(['prose', 'dark'])
const CLASS = /\.(-?[a-zA-Z_][\w-]*)/g
const FUNCTIONAL = /:(?:is|not|has|where)\([^()]*(?:\([^()]*\)[^()]*)*\)/g

function selectors(file: string): string[] {
  const text = readFileSync(FOLDER + file, 'utf8').replace(/\/\*.*?\*\//gs, '')
  return [...text.matchAll(/([^{};]+)\{/g)].flatMap(([, prelude = '']) =>
    prelude.trim().startsWith('@') ? [] : splitList(prelude.trim()),
  )
}

/** At commas that are not in parentheses. */
function splitList(list: string): string[] {
  return list.split(/,(?![^(]*\))/).map((selector) => selector.trim())
}

/** The class that a rule belongs to: the first one, outside `:is()`, `:not()`, `:has()` if it can be. */
function ownerOf(selector: string): string | undefined {
  const plain = selector.replace(/"[^"]*"|'[^']*'/g, '')
  const classes = [plain.replace(FUNCTIONAL, ''), plain].map((text) => [...text.matchAll(CLASS)].map(([, name = '']) => name))
  const names = classes.find((found) => found.length > 0) ?? []
  return names.find((name) => !SCOPES.has(name)) ?? names[0]
}

test('each class is defined in one file', () => {
  const files = new Map<string, Set<string>>()
  for (const file of FILES) {
    for (const owner of selectors(file).flatMap((selector) => ownerOf(selector) ?? [])) {
      if (!SCOPES.has(owner)) files.set(owner, (files.get(owner) ?? new Set()).add(file))
    }
  }
  expect(files.size).toBeGreaterThan(200)
  expect([...files].filter(([, found]) => found.size > 1).map(([name, found]) => `${name}: ${[...found].join(', ')}`)).toEqual([])
})

test('no stylesheet has more than 500 lines', () => {
  expect(FILES.filter((file) => readFileSync(FOLDER + file, 'utf8').split('\n').length > 500)).toEqual([])
})

test('each stylesheet is imported by another one or loaded by name', () => {
  const loaded = new Set(FILES.filter((file) => /^styles\/[^/]+\.css$/.test(file)))
  for (const file of FILES) {
    for (const [, path = ''] of readFileSync(FOLDER + file, 'utf8').matchAll(/@import '([^']+)'/g)) loaded.add(join(dirname(file), path))
  }
  expect(FILES.filter((file) => !loaded.has(file))).toEqual([])
})
