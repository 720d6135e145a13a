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

/** What is round whatever the corners of the site are: circles, and rounded shapes that are no box. */
const CIRCLES: Record<string, string> = {
  '.avatar': 'a portrait',
  '.switch-thumb': 'the thumb of a switch',
  '.sponsor-pack a': 'circles packed by their radius',
  '.sponsor-pack a:focus-visible': 'the same circle',
  '.sponsor-pack img': 'the same circle',
  '.sponsor-pack-empty': 'the circle of the first sponsor',
  '.library-logo:not([style], [data-style])': 'a dot in place of a logo',
  '.post-libraries a::before': 'a dot in the color of a library',
  '.library-links tbody th a::before': 'a dot in the color of a library',
  '.popular-comparison li::before': 'a dot in the color of a series',
  '.chart-dot': 'a point of a chart',
  ".demo-frame[data-demo-state='running'] .demo-bar output::before": 'a light that shows that the demo runs',
  '.demo [tabindex] li::before': 'a dot of a list',
}
/** A token, or a share of the box that a token limits. */
const RADIUS = /^(?:(?:var\(--radius-[a-z]+\)|min\(\d+%, var\(--radius-[a-z]+\)\)|0|inherit)(?: |$))+$/

test('corners have the radii of the site', () => {
  const fixed = FILES.flatMap((file) => {
    const text = readFileSync(FOLDER + file, 'utf8').replace(/\/\*.*?\*\//gs, '')
    return [...text.matchAll(/border(?:-\w+)*-radius:\s*([^;}]+)/g)]
      .map(({ index, 1: value = '' }) => ({ selector: selectorAt(text, index), value: value.replace('!important', '').trim() }))
      .filter(({ value }) => !RADIUS.test(value))
  })
  const circles = fixed.filter(({ selector, value }) => value === '50%' && selector in CIRCLES)
  // The page of the tokens shows each of them.
  expect(fixed.filter((rule) => !circles.includes(rule))).toEqual([{ selector: '.design-radius', value: 'var(--shown)' }])
  expect(circles.map(({ selector }) => selector).toSorted()).toEqual(Object.keys(CIRCLES).toSorted())
})

/** Of the rule that contains a declaration, which may have other rules before it. */
function selectorAt(text: string, index: number): string {
  let depth = 0
  for (let at = index; at > 0; at--) {
    if (text[at] === '}') depth++
    else if (text[at] === '{' && depth-- === 0) return /[^{};]*$/.exec(text.slice(0, at))?.[0].trim() ?? ''
  }
  return ''
}
