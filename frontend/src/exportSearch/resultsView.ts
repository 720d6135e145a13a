// The results of the search page of an export: what the function `search.results` of a server answers.
import type { Functions } from '../api/generated'
import type { RankedRecord } from './engine'
import { countFacets, placeOf } from './facets'
import { loadEngine } from './loadEngine'
import { markWords, snippet } from './marks'

const HITS_PER_PAGE = 20
const MAX_PAGES = 50
const TEXT_LENGTH = 200
/** Results of libraries that are not chosen. */
const MAX_OTHERS = 3

type Request = Functions['search.results']['input']
type View = Functions['search.results']['output']

export async function searchResultsView({ text, library = '', framework = '', version = 'latest', page = 0 }: Request): Promise<View> {
  const engine = await loadEngine(version, library || undefined)
  const chosen = { library: library ? [library] : [], framework: framework ? [framework] : [] }
  const query = { text, preferred: {}, ...chosen }
  const ranked = engine.search(query)
  const shown = ranked.slice(page * HITS_PER_PAGE, (page + 1) * HITS_PER_PAGE)
  const isOther = ({ record }: RankedRecord) => ![record.library].flat().includes(library)
  const others = library && page === 0 ? engine.search({ text, preferred: {}, library: [], framework: [] }).filter(isOther).slice(0, MAX_OTHERS) : []
  const toPage = ({ record, terms }: RankedRecord): View['found'][number] => ({
    to: placeOf(record, chosen.framework),
    title: markWords(record.path[1] ?? '', terms),
    trail: record.path.slice(2),
    text: markWords(snippet(record.text, terms, TEXT_LENGTH), terms),
    library: typeof record.library === 'string' ? record.library : '',
    kind: record.kind,
    answer: null,
  })
  return {
    total: ranked.length,
    pages: Math.min(MAX_PAGES, Math.ceil(ranked.length / HITS_PER_PAGE)),
    found: shown.map(toPage),
    others: others.map(toPage),
    libraries: countFacets(engine, query, 'library'),
    frameworks: countFacets(engine, query, 'framework'),
  }
}
