import { beforeEach, expect, test, vi } from 'vitest'
import { PLAIN_RANKING } from '../../tests/exportSearch'
import { searchRequests } from '../lib/search/searchRequests'
import { searchStatically } from './staticSearchClient'

const CONFIG = {
  ranking: PLAIN_RANKING,
  files: { latest: ['/_search/latest.json'], 'atlas/v1': ['/_search/atlas-v1.json'] },
  frameworks: { atlas: ['react'], tools: ['react'] },
}

function record(library: string, title: string, group: number) {
  return { url: `/${library}/latest/docs/${group}`, path: [library, title], text: 'Text about the grid.', library, kind: 'guide', group, weight: 0 }
}

const FILES: Record<string, unknown> = {
  '/_search/config.json': CONFIG,
  '/_search/latest.json': [record('atlas', 'Grids', 0), record('tools', 'Grid tools', 0), record('tools', 'Hammers', 1)],
  '/_search/atlas-v1.json': [record('atlas', 'Old grids', 0)],
}
const fetched = vi.fn<(path: string) => Promise<Response>>(async (path) => Response.json(FILES[path]))
const TARGET = { index: 'acme', library: 'atlas', framework: null }

beforeEach(() => {
  fetched.mockClear()
  vi.stubGlobal('fetch', fetched)
})

async function find(version: string) {
  const parameters = { query: 'grid tools', page: 0, library: ['atlas'], framework: [], version }
  const outcome = await searchStatically(searchRequests(parameters, TARGET))
  if (outcome.kind === 'failed') throw new Error(outcome.failure.message)
  return outcome.results
}

test('a search of a library has hits of the others, with the words of the query that their headings have', async () => {
  const [own, , others] = await find('latest')
  expect(own?.hits.map(({ library }) => library)).toEqual(['atlas'])
  const [first] = others?.hits ?? []
  expect(others?.hits.every(({ library }) => library === 'tools')).toBe(true)
  expect(first?._highlightResult?.hierarchy?.['lvl1']).toEqual({
    value: '__ais-highlight__Grid__/ais-highlight__ __ais-highlight__tools__/ais-highlight__',
    matchedWords: ['grid', 'tools'],
  })
})

test('a search in an older version downloads no records of the latest ones', async () => {
  const [own, , others] = await find('v1')
  expect(own?.hits.map(({ hierarchy }) => hierarchy['lvl1'])).toEqual(['Old grids'])
  expect(others?.hits).toEqual([])
  expect(fetched.mock.calls.flat()).toEqual(['/_search/atlas-v1.json'])
})
