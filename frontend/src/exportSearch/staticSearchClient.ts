// The client of the search dialog on a page of an export: it answers as Algolia's client does, from files.
import type { SearchClient } from 'instantsearch.js'
import { withBase } from '../lib/paths'
import type { FailedSearch } from '../lib/search/search'
import type { RankedRecord } from './engine'
import { countFacets, placeOf } from './facets'
import { loadEngine } from './loadEngine'
import { markWords, snippet } from './marks'

/** What the widgets put around matches; they escape the rest. */
const [PRE, POST] = ['__ais-highlight__', '__/ais-highlight__']
const SNIPPET_LENGTH = 130

interface Params {
  query?: string
  page?: number
  hitsPerPage?: number
  filters?: string
  facetFilters?: readonly (string | readonly string[])[]
  optionalFilters?: readonly string[]
}

type Search = SearchClient['search']
type Requests = Parameters<Search>[0]

/** `onFailure` receives a failed search, and null after a successful one. */
export function createStaticSearchClient(onFailure: (failure: FailedSearch | null) => void): SearchClient {
  let last = 0
  const search = async (requests: Requests) => {
    const own = ++last
    try {
      const results = await Promise.all(requests.map(({ params }) => answer((params ?? {}) as Params)))
      if (own === last) onFailure(null)
      return { results }
    } catch {
      if (own !== last) return new Promise(() => undefined)
      onFailure({ reached: false, message: 'Check your connection.' })
      return { results: requests.map(() => empty('')) }
    }
  }
  // The widgets call no other functions of the client.
  return { search } as unknown as SearchClient
}

function empty(query: string) {
  return { hits: [], nbHits: 0, nbPages: 0, page: 0, hitsPerPage: 0, processingTimeMS: 0, exhaustiveNbHits: true, query, params: '', facets: {} }
}

function valuesOf(filters: readonly string[], attribute: string): string[] {
  return filters.filter((filter) => filter.startsWith(`${attribute}:`)).map((filter) => filter.slice(attribute.length + 1))
}

async function answer(params: Params) {
  const { query = '', page = 0, hitsPerPage = 20, filters = '', facetFilters = [], optionalFilters = [] } = params
  if (query.trim() === '') return empty(query)
  const chosen = facetFilters.flat()
  const [library, framework] = [valuesOf(chosen, 'library'), valuesOf(chosen, 'framework')]
  const preferred = { library: valuesOf(optionalFilters, 'library')[0], framework: valuesOf(optionalFilters, 'framework')[0] }
  const version = /version:(\S+)/.exec(filters)?.[1] ?? 'latest'
  const engine = await loadEngine(version, library[0] ?? preferred.library)
  const wanted = { text: query, library, framework, preferred }
  const ranked = engine.search(wanted)
  const frameworks = [...framework, ...(preferred.framework ? [preferred.framework] : [])]
  return {
    ...empty(query),
    hits: ranked.slice(page * hitsPerPage, (page + 1) * hitsPerPage).map((found) => toHit(found, version, frameworks, engine.frameworksOf(found.record))),
    nbHits: ranked.length,
    nbPages: Math.ceil(ranked.length / hitsPerPage),
    page,
    hitsPerPage,
    facets: Object.fromEntries(
      (['library', 'framework'] as const).map((facet) => [
        facet,
        Object.fromEntries(countFacets(engine, wanted, facet).map(({ value, count }) => [value, count])),
      ]),
    ),
  }
}

function toHit({ record, terms }: RankedRecord, version: string, frameworks: readonly string[], own: readonly string[]) {
  const hierarchy = Object.fromEntries(record.path.map((text, level) => [`lvl${level}`, text]))
  const highlight = (text: string) => ({ value: marked(text, terms), matchLevel: 'full' as const, matchedWords: terms })
  const url = placeOf(record, frameworks)
  return {
    objectID: `${url} ${record.position ?? 0}`,
    url: withBase(url),
    hierarchy,
    library: record.library,
    version: [version],
    framework: own,
    about: record.about ?? [],
    kind: record.kind,
    _highlightResult: { hierarchy: Object.fromEntries(record.path.map((text, level) => [`lvl${level}`, highlight(text)])) },
    _snippetResult: { content: highlight(snippet(record.text, terms, SNIPPET_LENGTH)) },
  }
}

function marked(text: string, terms: readonly string[]): string {
  return markWords(text, terms)
    .map(({ text: part, found }) => (found ? PRE + part + POST : part))
    .join('')
}
