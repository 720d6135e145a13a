// The client of the search dialog on a page of an export: it answers as Algolia's client does, from files.
import { withBase } from '../lib/paths'
import { HIGHLIGHT_TAGS } from '../lib/search/searchHit'
import type { SectionHit } from '../lib/search/searchHit'
import type { SearchRequest, SearchResponse } from '../lib/search/searchRequests'
import type { SearchOutcome } from '../lib/search/searchStore'
import type { RankedRecord } from './engine'
import { countFacets, placeOf } from './facets'
import { LATEST_FILES, loadEngine } from './loadEngine'
import { markWords, snippet } from './marks'
import { queryWords, termOf, wordsOf } from './tokens'

const SNIPPET_LENGTH = 130

/** Rejects if the records cannot be loaded. */
export async function searchStatically(requests: readonly SearchRequest[]): Promise<SearchOutcome> {
  const version = versionOf(requests[0]?.filters)
  // Other libraries are searched in their latest versions, whose records are another download for a page of an older version.
  const results = requests.map((request) => (versionOf(request.filters) === version ? answer(request) : noHits(request)))
  return { kind: 'answered', results: await Promise.all(results) }
}

function versionOf(filters = ''): string {
  return /version:(\S+)/.exec(filters)?.[1] ?? LATEST_FILES
}

function noHits({ page, query }: SearchRequest): SearchResponse {
  return { hits: [], nbHits: 0, nbPages: 0, page, query }
}

function valuesOf(filters: readonly string[], attribute: string): string[] {
  return filters.filter((filter) => filter.startsWith(`${attribute}:`)).map((filter) => filter.slice(attribute.length + 1))
}

async function answer({ query, page, hitsPerPage, filters, facetFilters, optionalFilters, facets }: SearchRequest): Promise<SearchResponse> {
  const chosen = facetFilters.flat()
  const [library, framework] = [valuesOf(chosen, 'library'), valuesOf(chosen, 'framework')]
  const preferred = { library: valuesOf(optionalFilters, 'library')[0], framework: valuesOf(optionalFilters, 'framework')[0] }
  const version = versionOf(filters)
  const excluded = new Set(Array.from(filters.matchAll(/NOT library:(\S+)/g), ([, id]) => id))
  const engine = await loadEngine(version, library[0] ?? preferred.library)
  const wanted = { text: query, library, framework, preferred }
  const ranked = engine.search(wanted).filter(({ record }) => [record.library].flat().every((id) => !excluded.has(id)))
  const frameworks = [...framework, ...(preferred.framework ? [preferred.framework] : [])]
  return {
    hits: ranked.slice(page * hitsPerPage, (page + 1) * hitsPerPage).map((found) => toHit(found, { version, frameworks, own: engine.frameworksOf(found.record), words: queryWords(query) })),
    nbHits: ranked.length,
    nbPages: Math.ceil(ranked.length / (hitsPerPage || 1)),
    page,
    query,
    facets: Object.fromEntries(
      (['library', 'framework'] as const)
        .filter((facet) => facets.includes(facet))
        .map((facet) => [facet, Object.fromEntries(countFacets(engine, wanted, facet).map(({ value, count }) => [value, count]))]),
    ),
  }
}

interface HitContext {
  version: string
  /** Of the reader. */
  frameworks: readonly string[]
  /** Frameworks of the record. */
  own: readonly string[]
  /** Of the query. */
  words: readonly string[]
}

function toHit({ record, terms }: RankedRecord, { version, frameworks, own, words }: HitContext): SectionHit {
  const hierarchy = Object.fromEntries(record.path.map((text, level) => [`lvl${level}`, text]))
  const highlight = (text: string) => ({ value: marked(text, terms), matchedWords: matchedWords(text, words) })
  const url = placeOf(record, frameworks)
  return {
    objectID: `${url} ${record.position ?? 0}`,
    url: withBase(url),
    hierarchy,
    library: record.library,
    version: [version],
    framework: [...own],
    about: record.about ?? [],
    kind: record.kind,
    _highlightResult: { hierarchy: Object.fromEntries(record.path.map((text, level) => [`lvl${level}`, highlight(text)])) },
    _snippetResult: { content: highlight(snippet(record.text, terms, SNIPPET_LENGTH)) },
  }
}

/** The words of the query that a text has, whole or as the beginning of a word. */
function matchedWords(text: string, words: readonly string[]): string[] {
  const terms = wordsOf(text).map(termOf)
  return words.filter((word) => terms.some((term) => term.startsWith(termOf(word))))
}

function marked(text: string, terms: readonly string[]): string {
  return markWords(text, terms)
    .map(({ text: part, found }) => (found ? HIGHLIGHT_TAGS.pre + part + HIGHLIGHT_TAGS.post : part))
    .join('')
}
