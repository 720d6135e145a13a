// The records of the search of an export, as `kinfolk.cli.export.search_files` writes them: one file for each version of a library.

/** One section of a page. Keys are short: there are thousands. */
export interface StaticRecord {
  /** The address from the site's root. */
  url: string
  /** Headings from the library's name to the section's. */
  path: string[]
  /** Other names of the page. */
  names?: string[]
  text: string
  code?: string[]
  library: string | string[]
  /** Frameworks whose readers the section is for; none if that is every framework of the library. */
  for?: string[]
  about?: string[]
  /** Addresses of the same text for other frameworks. */
  variants?: Record<string, string>
  kind: string
  context?: string
  /** The page in all frameworks, by number within the file. */
  group: number
  /** Order of pages that match equally well. */
  weight: number
  position?: number
  demoted?: 1
  technical?: 1
}

/** What `search.toml` says, for the search in the browser. */
export interface StaticRanking {
  /** Letters without a decomposition, with what the search reads for them. */
  letters: Record<string, string>
  stopWords: string[]
  optionalWords: string[]
  oneTypoFrom: number
  twoTyposFrom: number
  headingSuffixes: string[]
  synonyms: { words: string[]; input?: string }[]
  prefixAliases: string[][]
  demotions: { attribute: string; value: string; unless: string[] }[]
}

export interface StaticSearchConfig {
  ranking: StaticRanking
  /** Files with records, by version: `latest` or `{library}/{version}`. */
  files: Record<string, string[]>
  frameworks: Record<string, string[]>
}
