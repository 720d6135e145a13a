import { expect, test } from 'vitest'
import { facetValues, readAnswer, searchRequests } from './searchRequests'

const PARAMETERS = { query: 'cache', page: 0, library: ['start', 'router'], framework: ['react'], version: 'latest' }
const TARGET = { index: 'acme', library: 'start', framework: 'react' }

function response(ids: string[], more: object = {}) {
  const hits = ids.map((objectID) => ({ objectID, url: `/${objectID}`, library: 'start', version: ['latest'], framework: [], kind: 'guide', hierarchy: {} }))
  return { hits, query: 'cache', page: 0, nbHits: ids.length, nbPages: 1, ...more }
}

test('one request each for the hits, for the counts of filters, and for other libraries', () => {
  const [hits, libraries, frameworks, others, ...more] = searchRequests(PARAMETERS, TARGET)
  expect(more).toEqual([])
  expect(hits).toMatchObject({
    query: 'cache',
    filters: 'version:latest',
    facetFilters: [['library:start', 'library:router'], ['framework:react']],
    optionalFilters: ['framework:react', 'library:start'],
    facets: ['library', 'framework'],
    hitsPerPage: 20,
  })
  expect(libraries).toMatchObject({ facets: ['library'], facetFilters: [['framework:react']], hitsPerPage: 0, analytics: false })
  expect(frameworks).toMatchObject({ facets: ['framework'], facetFilters: [['library:start', 'library:router']], hitsPerPage: 0 })
  expect(others).toMatchObject({
    filters: 'version:latest AND NOT library:start AND NOT library:router',
    facetFilters: [],
    optionalFilters: ['framework:react'],
    facets: [],
    hitsPerPage: 3,
    clickAnalytics: true,
  })
})

test('other libraries are searched in their latest versions: names of versions are the library\'s own', () => {
  const requests = searchRequests({ ...PARAMETERS, library: ['query'], version: 'v4' }, TARGET)
  expect(requests[0]?.filters).toBe('version:v4')
  expect(requests.at(-1)?.filters).toBe('version:latest AND NOT library:query')
})

test.each([
  ['no library', { ...PARAMETERS, library: [] }, 2],
  ['the second page', { ...PARAMETERS, page: 1 }, 3],
])('%s has no results of other libraries', (_, parameters, count) => {
  const requests = searchRequests(parameters, TARGET)
  expect(requests).toHaveLength(count)
  expect(requests.some(({ filters }) => filters.includes('NOT'))).toBe(false)
})

test('an answer has counts without the filter of their facet, and positions in the answer that names the hit', () => {
  const answer = readAnswer({ ...PARAMETERS, page: 1 }, [
    response(['a', 'b'], { page: 1, nbHits: 22, nbPages: 2, queryID: 'q1', facets: { library: { start: 22 }, framework: { react: 22 } } }),
    response([], { facets: { library: { start: 22, query: 7 } } }),
    response([], { facets: { framework: { react: 22, solid: 3 } } }),
  ])
  expect(answer).toMatchObject({ total: 22, pages: 2, counts: { library: { start: 22, query: 7 }, framework: { react: 22, solid: 3 } } })
  expect(answer.hits.map(({ position, queryId }) => [position, queryId])).toEqual([
    [21, 'q1'],
    [22, 'q1'],
  ])
  expect(answer.otherHits).toEqual([])
})

test('a chosen value has its own count where the search without its filter does not find its hits', () => {
  const answer = readAnswer({ ...PARAMETERS, library: ['query'], framework: [] }, [
    response(['a'], { nbHits: 4, facets: { library: { query: 4 }, framework: { react: 4 } } }),
    response([], { facets: { library: { form: 18 } } }),
  ])
  expect(answer.counts.library).toEqual({ query: 4, form: 18 })
})

test('hits of other libraries have positions of their own', () => {
  const answer = readAnswer({ ...PARAMETERS, framework: [] }, [
    response(['a'], { queryID: 'q1', facets: { framework: { react: 1 } } }),
    response([], { facets: { library: { start: 1 } } }),
    response(['x', 'y'], { queryID: 'q2' }),
  ])
  expect(answer.otherHits.map(({ objectID, position, queryId }) => [objectID, position, queryId])).toEqual([
    ['x', 1, 'q2'],
    ['y', 2, 'q2'],
  ])
  expect(answer.counts.framework).toEqual({ react: 1 })
})

test('chosen values come first, also without hits, the others by their counts and names', () => {
  expect(facetValues({ query: 2, form: 2, table: 5 }, ['pacer', 'query'])).toEqual([
    { value: 'query', count: 2, isChosen: true },
    { value: 'pacer', count: 0, isChosen: true },
    { value: 'table', count: 5, isChosen: false },
    { value: 'form', count: 2, isChosen: false },
  ])
})
