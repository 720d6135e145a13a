import { expect, test } from 'vitest'
import { PLAIN_RANKING } from '../../tests/exportSearch'
import { StaticEngine } from './engine'
import { markWords } from './marks'
import type { StaticRanking, StaticRecord } from './records'

const ranking: StaticRanking = { ...PLAIN_RANKING, letters: { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', ı: 'i' } }

function record(title: string, heading: string, text: string, group: number): StaticRecord {
  return { url: `/acme/latest/docs/${group}`, path: ['Acme', title, ...(heading ? [heading] : [])], text, library: 'acme', kind: 'guide', group, weight: 0 }
}

const engine = await StaticEngine.build(
  [
    record('C', '', 'Calls and callbacks of the cache in C.', 0),
    record('Clients', 'C in the net', 'Create a client for f and c.', 1),
    record('Language bindings', 'C++ and C# and .NET and F#', 'Bindings for C++.', 2),
    record('Suche', 'Suche mit Größe', 'Straße, Łódź, Ærøskøbing, øl and ışık.', 3),
    record('Optional chaining ?.', '', 'a?.b and => and ??=.', 4),
    record('Assertions', '', 'Write value!! at your own risk. Why? Because!', 5),
  ],
  ranking,
  {},
)

function find(text: string): string[] {
  return engine.search({ text, library: [], framework: [], preferred: {} }).map(({ record: { path } }) => path[1] ?? '')
}

test.each(['strasse', 'STRASSE', 'Straße', 'lodz', 'ŁÓDŹ', 'aeroskobing', 'ol', 'grosse', 'größe', 'isik'])('%s finds its page', (text) => {
  expect(find(text)[0]).toBe('Suche')
})

test.each(['C++', 'c#', 'F#', '.NET', 'bindings for C++'])('%s finds the heading about it first', (text) => {
  expect(find(text)[0]).toBe('Language bindings')
})

test.each([
  ['?.', ['Optional chaining ?.']],
  ['=>', ['Optional chaining ?.']],
  ['??=', ['Optional chaining ?.']],
  ['!!', ['Assertions']],
  ['&&', []],
  ['!', []],
  [', ;', []],
])('%s finds what has these symbols, and nothing else', (text, expected) => {
  expect(find(text)).toEqual(expected)
})

test.each([
  ['strasse', 'Die Straße dort', ['Straße']],
  ['c++', 'Bindings for C++ and C', ['C++', 'C']],
  ['.net', 'The .NET runtime of the net', ['.NET', 'net']],
  ['?.', 'a?.b and (x?.y)', ['?.', '?.']],
  ['net', 'a .NET runtime', ['NET']],
])('%s is marked in the written text', (query, text, expected) => {
  const terms = engine.search({ text: query, library: [], framework: [], preferred: {} }).flatMap((found) => found.terms)
  const pieces = markWords(text, terms)
  expect(pieces.filter(({ found }) => found).map((piece) => piece.text)).toEqual(expected)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
})
