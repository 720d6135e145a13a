// No id of the layout can be the id of a heading: each begins with `Site-`.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ID_PREFIX } from './layoutIds'

const FOLDER = new URL('..', import.meta.url).pathname
const FILES = globSync('**/*.{ts,tsx}', { cwd: FOLDER }).filter((file) => !/\.test\.|^routeTree\.gen|^api\/generated|^polyfills/.test(file))
/** Components of pages without headings of Markdown: their ids are anchors that links lead to. */
const WITHOUT_MARKDOWN = /^components\/(?:accounts|dashboard|design|examples|home|landing|statistics)\/|^routes\/design/
/** Of lines of an example, and of the script of an ad provider, which looks it up. Others begin with a constant. */
const ALLOWED = /^(?:L|_carbonads_js|\$\{[A-Z_]+_ID\}.*)$/
/** An id in markup, as a property of a new element, as a constant, or of an element that is looked up. */
const IDS = [
  /\bid=["']([^"']+)["']/g,
  /\bid=\{[`']([^`']+)[`']/g,
  /\belement\([^)]*?\bid: '([^']+)'/g,
  /\b(?:const )?[A-Z_]*_ID\b[^=\n]*= '([^']+)'/g,
  /\bgetElementById\(['"`]([^'"`]+)/g,
]

function idsIn(file: string): string[] {
  const source = readFileSync(FOLDER + file, 'utf8')
  return IDS.flatMap((pattern) => [...source.matchAll(pattern)].map(([, id = '']) => id))
}

test('each id of the layout begins with the prefix', () => {
  const found = FILES.filter((file) => !WITHOUT_MARKDOWN.test(file)).flatMap((file) => idsIn(file).map((id) => ({ file, id })))
  expect(found.length).toBeGreaterThan(15)
  expect(found.filter(({ id }) => !id.startsWith(ID_PREFIX) && !ALLOWED.test(id))).toEqual([])
})

test('each root of React makes ids with the prefix', () => {
  const roots = FILES.filter((file) => file !== 'entry.demos.tsx').flatMap((file) =>
    readFileSync(FOLDER + file, 'utf8').match(/\b(?:createRoot|hydrateRoot|renderToString)\([^\n]+/g) ?? [],
  )
  expect(roots).toHaveLength(5)
  expect(roots.filter((root) => !root.includes('identifierPrefix: ID_PREFIX'))).toEqual([])
})
