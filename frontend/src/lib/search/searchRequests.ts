// The searches of the dialog as requests of Algolia's protocol, and what it reads of the responses.
import { LATEST } from '../docs/version'
import type { SearchHit, SectionHit } from './searchHit'
import { HIGHLIGHT_TAGS } from './searchHit'

const HITS_PER_PAGE = 20
const MAX_FACET_VALUES = 50
/** Hits of the libraries that are not chosen. */
const MAX_OTHER_HITS = 3

const FACETS = ['library', 'framework'] as const
export type FacetName = (typeof FACETS)[number]

/** What the reader searches for. */
export interface SearchParameters {
  query: string
  /** Counted from zero. */
  page: number
  /** Chosen values, of which a hit has one; without any, all hits. */
  library: readonly string[]
  framework: readonly string[]
  version: string
}

/** Where a search begins. */
export interface SearchTarget {
  index: string
  /** Ranked first without filtering. */
  library: string | null
  framework: string | null | undefined
}

export interface SearchRequest {
  indexName: string
  query: string
  page: number
  hitsPerPage: number
  filters: string
  facetFilters: string[][]
  optionalFilters: string[]
  facets: string[]
  [parameter: string]: unknown
}

export interface SearchResponse {
  hits: SectionHit[]
  nbHits: number
  nbPages: number
  page: number
  query: string
  queryID?: string
  facets?: Record<string, Record<string, number>>
}

export interface FacetValue {
  value: string
  count: number
  isChosen: boolean
}

export interface SearchAnswer {
  query: string
  total: number
  pages: number
  hits: SearchHit[]
  /** The best hits of libraries that are not chosen. */
  otherHits: SearchHit[]
  /** Numbers of hits, each without the filter of its facet. */
  counts: Record<FacetName, Record<string, number>>
}

/** The answer to a query that is not sent. */
export function emptyAnswer(query: string): SearchAnswer {
  return { query, total: 0, pages: 0, hits: [], otherHits: [], counts: { library: {}, framework: {} } }
}

/** One request for the hits, one for the counts of each facet that filters, one for other libraries. The order is that of `readAnswer`. */
export function searchRequests(parameters: SearchParameters, target: SearchTarget): SearchRequest[] {
  const hits = hitsRequest(parameters, target)
  const counts = FACETS.filter((facet) => parameters[facet].length > 0).map((facet) => countRequest(hits, parameters, facet))
  return [hits, ...counts, ...(hasOtherLibraries(parameters) ? [otherRequest(hits, parameters, target)] : [])]
}

function hitsRequest(parameters: SearchParameters, { index, library, framework }: SearchTarget): SearchRequest {
  const { query, page, version } = parameters
  return {
    indexName: index,
    query,
    page,
    hitsPerPage: HITS_PER_PAGE,
    filters: `version:${version}`,
    facetFilters: facetFilters(parameters),
    optionalFilters: [...(framework ? [`framework:${framework}`] : []), ...(library ? [`library:${library}`] : [])],
    facets: [...FACETS],
    maxValuesPerFacet: MAX_FACET_VALUES,
    // Gives each response a query id, which click events refer to.
    clickAnalytics: true,
    attributesToRetrieve: ['hierarchy', 'url', 'library', 'framework', 'about', 'kind', 'version', 'deprecated', 'deprecated_page'],
    // The answer is that of the first hit.
    attributesToSnippet: ['content:18', 'answer:60'],
    attributesToHighlight: ['hierarchy'],
    highlightPreTag: HIGHLIGHT_TAGS.pre,
    highlightPostTag: HIGHLIGHT_TAGS.post,
  }
}

function countRequest(hits: SearchRequest, parameters: SearchParameters, facet: FacetName): SearchRequest {
  return {
    ...hits,
    page: 0,
    hitsPerPage: 0,
    facets: [facet],
    facetFilters: facetFilters({ ...parameters, [facet]: [] }),
    attributesToRetrieve: [],
    attributesToHighlight: [],
    attributesToSnippet: [],
    analytics: false,
    clickAnalytics: false,
  }
}

/** The hits of the first page are followed by some of other libraries. */
function hasOtherLibraries({ library, page }: SearchParameters): boolean {
  return library.length > 0 && page === 0
}

/** Of the latest versions: the names of versions are the library's own. */
function otherRequest(hits: SearchRequest, { library }: SearchParameters, { framework }: SearchTarget): SearchRequest {
  return {
    ...hits,
    hitsPerPage: MAX_OTHER_HITS,
    filters: [`version:${LATEST}`, ...library.map((id) => `NOT library:${id}`)].join(' AND '),
    facetFilters: [],
    optionalFilters: framework ? [`framework:${framework}`] : [],
    facets: [],
    attributesToSnippet: ['content:18'],
  }
}

function facetFilters(chosen: Pick<SearchParameters, FacetName>): string[][] {
  return FACETS.filter((facet) => chosen[facet].length > 0).map((facet) => chosen[facet].map((value) => `${facet}:${value}`))
}

/** The responses to `searchRequests`, in its order. */
export function readAnswer(parameters: SearchParameters, responses: readonly SearchResponse[]): SearchAnswer {
  const [hits, ...rest] = responses
  if (!hits) return emptyAnswer(parameters.query)
  const counts = Object.fromEntries(
    FACETS.map((facet) => {
      const chosen = hits.facets?.[facet] ?? {}
      const counted = parameters[facet].length > 0 ? rest.shift()?.facets?.[facet] : {}
      // Fewer words may be required of a hit where the filter leaves few: the count without it lacks these hits.
      return [facet, { ...chosen, ...counted }]
    }),
  ) as SearchAnswer['counts'] // FACETS are its keys
  const [others] = rest
  return {
    query: hits.query,
    total: hits.nbHits,
    pages: hits.nbPages,
    hits: readHits(hits, HITS_PER_PAGE),
    otherHits: others ? readHits(others, MAX_OTHER_HITS) : [],
    counts,
  }
}

function readHits({ hits, page, queryID }: SearchResponse, perPage: number): SearchHit[] {
  return hits.map((hit, at) => ({ ...hit, position: page * perPage + at + 1, queryId: queryID }))
}

/** The values of a facet for chips: the chosen ones first, also without hits, then by their numbers of hits. */
export function facetValues(counts: Readonly<Record<string, number>>, chosen: readonly string[]): FacetValue[] {
  const values = [...new Set([...chosen, ...Object.keys(counts)])]
  return values
    .map((value) => ({ value, count: counts[value] ?? 0, isChosen: chosen.includes(value) }))
    .toSorted((one, other) => Number(other.isChosen) - Number(one.isChosen) || other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, MAX_FACET_VALUES)
}
