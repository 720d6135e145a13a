import { describe, expect, test } from 'vitest'
import { findJsonFault } from './jsonFault'
import cases from './packageFileCases.json'
import { MOST_PACKAGES, readPackages } from './packageFiles'

const FAMILY = new Set(['@acme/query', '@acme/router', '@acme/devtools', 'acme-table'])

describe('reads', () => {
  test.each(cases)('$name', ({ text, packages, fault, line }) => {
    const expected = packages ? { kind: 'ok', packages } : { kind: 'fault', fault, ...(line ? { line } : {}) }
    expect(readPackages(text, FAMILY)).toEqual(expected)
  })
})

test('more packages than a page shows are refused', () => {
  const names = Array.from({ length: MOST_PACKAGES + 1 }, (_, index) => `p${index}`)
  const text = JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1'])) })
  expect(readPackages(text, new Set(names))).toEqual({ kind: 'fault', fault: 'many' })
})

test('5 MB are read in less than two seconds', () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`package-${index}`, '^1.0.0']))
  const text = JSON.stringify({ readme: 'a "b" '.repeat(600_000), dependencies: { ...many, '@acme/query': '^5' } }, null, 2)
  expect(text.length).toBeGreaterThan(5_000_000)
  const start = performance.now()
  expect(readPackages(text, FAMILY)).toEqual({ kind: 'ok', packages: ['@acme/query@^5'] })
  expect(readPackages(`${text}}`, FAMILY)).toEqual({ kind: 'fault', fault: 'json', line: text.split('\n').length })
  expect(performance.now() - start).toBeLessThan(2000)
})

test.each(['[', '{"a":', '"', '\\', ' ', '  a: b', "  '", '  "a" '])('1 MB of %j takes less than a second', (part) => {
  const text = part.repeat(1_000_000 / part.length)
  const start = performance.now()
  readPackages(text, FAMILY)
  readPackages(`{${text}`, FAMILY)
  expect(performance.now() - start).toBeLessThan(1000)
})

test.each([
  ['{"a": 01}', 1],
  ['{"a":\n.5}', 2],
  ['{"a":\n\ntru}', 3],
  ["{\n'a': 1}", 2],
  ['{\n"a": "\\x"}', 2],
  ['{"a": [1,\n]}', 2],
  ['{"a"\n1}', 2],
  ['[1}', 1],
])('the error in %j is in line %d', (text, line) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  expect(findJsonFault(text)).toBe(line)
})
