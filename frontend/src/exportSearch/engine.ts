// Searches records in the browser with MiniSearch, ranked by the data of `search.toml` as far as that goes without the server's
// engine (decisions/0024).
import type { SearchResult } from 'minisearch'
import MiniSearch from 'minisearch'
import type { StaticRanking, StaticRecord } from './records'
import { queryWords, setFoldedLetters, termOf, withoutSymbols, wordsOf } from './tokens'

/** Records that are added to the index before the browser may paint. */
const CHUNK = 80
/** Boosts by field. Headings of sections count less than the title of the page. */
const BOOSTS = { title: 6, names: 4, heading: 4, context: 1.5, text: 1, code: 0.6 }
const SYNONYM_BOOST = 0.4
/** Of `C` for the query `C++`. */
const WITHOUT_SYMBOLS_BOOST = 0.1
const EXACT_HEADING = 4
const EXACT_SECTION = 1.6
const START_OF_PAGE = 1.35
const DEMOTION = 0.35
const WEAK_DEMOTION = 0.6
const NAMED_FACET = 2.2
const PREFERRED_LIBRARY = 1.5
const PREFERRED_FRAMEWORK = 1.2

interface Row {
  id: number
  title: string
  names: string
  heading: string
  context: string
  text: string
  code: string
}

export interface EngineQuery {
  text: string
  /** Values of facets that a record must have one of. */
  library: readonly string[]
  framework: readonly string[]
  /** Values that rank first without filtering. */
  preferred: { library?: string | undefined; framework?: string | undefined }
}

export interface RankedRecord {
  record: StaticRecord
  score: number
  /** Words of the record that matched. */
  terms: string[]
}

function plain(text: string): string {
  return queryWords(text).join(' ')
}

export class StaticEngine {
  private readonly index: MiniSearch<Row>
  private readonly stopWords: ReadonlySet<string>
  private readonly optional: ReadonlySet<string>
  private readonly suffixes: ReadonlySet<string>
  private readonly synonyms = new Map<string, string[]>()

  private constructor(
    private readonly records: readonly StaticRecord[],
    private readonly ranking: StaticRanking,
    private readonly frameworks: Readonly<Record<string, string[]>>,
  ) {
    setFoldedLetters(ranking.letters)
    this.stopWords = new Set(ranking.stopWords)
    this.optional = new Set(ranking.optionalWords)
    this.suffixes = new Set(ranking.headingSuffixes)
    for (const { words, input } of ranking.synonyms) {
      for (const word of input ? [input] : words) {
        const others = words.filter((other) => other !== word)
        this.synonyms.set(word, [...(this.synonyms.get(word) ?? []), ...others])
      }
    }
    this.index = new MiniSearch<Row>({
      fields: Object.keys(BOOSTS),
      tokenize: wordsOf,
      processTerm: termOf,
    })
  }

  static async build(
    records: readonly StaticRecord[],
    ranking: StaticRanking,
    frameworks: Readonly<Record<string, string[]>>,
  ): Promise<StaticEngine> {
    const engine = new StaticEngine(records, ranking, frameworks)
    await engine.index.addAllAsync(records.map(toRow), { chunkSize: CHUNK })
    return engine
  }

  /** Records by score, one for each page. */
  search(query: EngineQuery): RankedRecord[] {
    const words = queryWords(query.text)
    if (words.length === 0) return []
    const telling = words.filter((word) => !this.stopWords.has(word) && !this.optional.has(word))
    const wanted = telling.length > 0 ? telling : words
    const facets = this.namedFacets(wanted)
    // A facet's value need not be in the text.
    const required = wanted.filter((word) => !facets.frameworks.has(word) || wanted.length === 1)
    const found = this.find(required.length > 0 ? required : wanted, query.text, 'AND')
    const results = found.length >= 3 ? found : [...found, ...this.find(wanted, query.text, 'OR')]
    return this.rank(results, query, words, facets)
  }

  private find(words: readonly string[], text: string, combineWith: 'AND' | 'OR'): SearchResult[] {
    const last = words.at(-1)
    const { oneTypoFrom, twoTyposFrom } = this.ranking
    const options = {
      boost: BOOSTS,
      prefix: (term: string) => term === termOf(last ?? '') || term.length > 3,
      fuzzy: (term: string) => (term.length >= twoTyposFrom ? 2 : term.length >= oneTypoFrom ? 1 : false),
      weights: { prefix: 0.4, fuzzy: 0.15 },
      combineWith,
      // Of identifiers, the parts only rank.
      tokenize: queryWords,
    }
    const queries = words.map((word) => {
      const others = (this.synonyms.get(word) ?? []).map((other) => ({ text: other, boost: SYNONYM_BOOST }))
      const bare = withoutSymbols(word)
      if (bare && bare !== word) others.push({ text: bare, boost: WITHOUT_SYMBOLS_BOOST })
      if (others.length === 0) return word
      return {
        combineWith: 'OR' as const,
        queries: [word, ...others.map((other) => ({ queries: [other.text], combineWith: 'AND' as const, boost: scaled(BOOSTS, other.boost), prefix: false, fuzzy: false as const }))],
      }
    })
    const phrase = this.synonyms.get(plain(text)) ?? []
    const all = { combineWith, queries }
    return phrase.length > 0 && words.length > 1
      ? this.index.search({ combineWith: 'OR', queries: [all, ...phrase.map((other) => ({ queries: [other], combineWith: 'AND' as const, boost: scaled(BOOSTS, SYNONYM_BOOST) }))] }, options)
      : this.index.search(all, options)
  }

  private namedFacets(words: readonly string[]): { libraries: ReadonlySet<string>; frameworks: ReadonlySet<string> } {
    const known = new Set(Object.values(this.frameworks).flat())
    const ids = new Set(Object.keys(this.frameworks))
    return { libraries: new Set(words.filter((word) => ids.has(word))), frameworks: new Set(words.filter((word) => known.has(word))) }
  }

  private rank(results: readonly SearchResult[], query: EngineQuery, words: readonly string[], facets: ReturnType<StaticEngine['namedFacets']>): RankedRecord[] {
    const heading = this.withoutSuffix(words)
    const best = new Map<string, RankedRecord>()
    for (const { id, score, terms } of results) {
      const record = this.records[Number(id)]
      if (!record || !this.passes(record, query)) continue
      const ranked = { record, score: score * this.factor(record, heading, words, facets, query), terms }
      const key = `${String(record.library)} ${record.group}`
      const before = best.get(key)
      if (!before || before.score < ranked.score) best.set(key, ranked)
    }
    return [...best.values()].toSorted((one, other) => other.score - one.score)
  }

  private passes(record: StaticRecord, { library, framework }: EngineQuery): boolean {
    if (library.length > 0 && !library.some((id) => [record.library].flat().includes(id))) return false
    return framework.length === 0 || framework.some((name) => this.frameworksOf(record).includes(name))
  }

  frameworksOf(record: StaticRecord): readonly string[] {
    return record.for ?? (typeof record.library === 'string' ? (this.frameworks[record.library] ?? []) : [])
  }

  private factor(
    record: StaticRecord,
    heading: string,
    words: readonly string[],
    facets: ReturnType<StaticEngine['namedFacets']>,
    { preferred }: EngineQuery,
  ): number {
    return (
      (1 + record.weight / 150) *
      headingFactor(record, heading) *
      this.demotionFactor(record, words) *
      this.facetFactor(record, facets) *
      this.preferenceFactor(record, preferred)
    )
  }

  private demotionFactor(record: StaticRecord, words: readonly string[]): number {
    let factor = 1
    for (const { attribute, value, unless } of this.ranking.demotions) {
      if (!words.some((word) => unless.includes(word))) factor *= demotion(record, attribute, value)
    }
    return factor
  }

  private facetFactor(record: StaticRecord, { libraries, frameworks }: ReturnType<StaticEngine['namedFacets']>): number {
    const ofLibrary = [record.library].flat().some((id) => libraries.has(id)) ? NAMED_FACET : 1
    return ofLibrary * ((record.about ?? []).some((name) => frameworks.has(name)) ? NAMED_FACET : 1)
  }

  private preferenceFactor(record: StaticRecord, { library, framework }: EngineQuery['preferred']): number {
    const ofLibrary = library && [record.library].flat().includes(library) ? PREFERRED_LIBRARY : 1
    return ofLibrary * (framework && this.frameworksOf(record).includes(framework) ? PREFERRED_FRAMEWORK : 1)
  }

  private withoutSuffix(words: readonly string[]): string {
    const rest = words.length > 1 && this.suffixes.has(words.at(-1) ?? '') ? words.slice(0, -1) : words
    return rest.join(' ')
  }
}

/** The start of a page counts more than its sections, and a heading that is the query counts most. */
function headingFactor({ path, names = [] }: StaticRecord, heading: string): number {
  const isStart = path.length < 3
  const ofPage = isStart ? START_OF_PAGE : 1
  if (isStart && [path[1] ?? '', ...names].some((name) => plain(name) === heading)) return ofPage * EXACT_HEADING
  return ofPage * (plain(path.at(-1) ?? '') === heading ? EXACT_SECTION : 1)
}

function demotion(record: StaticRecord, attribute: string, value: string): number {
  if (attribute === 'demoted') return record.demoted ? DEMOTION : 1
  if (attribute === 'technical') return record.technical ? WEAK_DEMOTION : 1
  return attribute === 'kind' && record.kind === value ? WEAK_DEMOTION : 1
}

function scaled(boosts: Readonly<Record<string, number>>, by: number): Record<string, number> {
  return Object.fromEntries(Object.entries(boosts).map(([name, boost]) => [name, boost * by]))
}

function toRow({ path, names = [], text, code = [], context = '' }: StaticRecord, id: number): Row {
  return {
    id,
    title: path[1] ?? path[0] ?? '',
    names: names.join(' '),
    heading: path.slice(2).join(' '),
    context,
    text,
    code: code.join(' '),
  }
}
