// The rules of the search that need no server: context, saved pages, URLs.
import type { LibraryCard, Shell } from '../../api/generated'
import { LATEST, findVersion } from '../docs/version'
import type { SitePath } from '../paths'
import { serverPath, withoutBase } from '../paths'

/** Maximum length of a query (spec section 5). */
export const MAX_QUERY_LENGTH = 512

export type Hierarchy = Readonly<Record<string, string | null | undefined>>

/** The library, framework and version of the current page, which a search starts with. */
export interface SearchContext {
  library: string | null
  framework: string | null
  version: string
}

/** The libraries that a search on a page of a library begins with: those that it builds on belong to it. */
export function startLibraries(shell: Shell, library: string | null): string[] {
  if (library === null) return []
  return [library, ...(shell.libraries.find(({ id }) => id === library)?.buildsOn ?? [])]
}

/** The first segment is the library, what follows `/framework/` the framework (spec section 4). */
export function readSearchContext(pathname: string, shell: Shell): SearchContext {
  const [, id, segment = LATEST] = pathname.split('/')
  const library = shell.libraries.find((candidate) => candidate.id === id)
  const framework = /\/framework\/([^/]+)/.exec(pathname)?.[1] ?? null
  return {
    library: library?.id ?? null,
    framework: library && framework && shell.frameworks.some(({ value }) => value === framework) ? framework : null,
    version: searchVersion(library, segment),
  }
}

/** The latest version is `latest` in the index, also if the URL has its name. */
function searchVersion(library: LibraryCard | undefined, segment: string): string {
  // A release is searched in the docs of its major version.
  const version = library && (findVersion(library, segment) ?? findVersion(library, `v${Number.parseInt(segment, 10)}`))
  return version && library.latestVersion !== version.name ? version.name : LATEST
}

/** The headings between the page's title and a section, outermost first. */
export function headingTrail(hierarchy: Hierarchy): string[] {
  return [2, 3, 4, 5, 6].flatMap((level) => hierarchy[`lvl${level}`] ?? [])
}

/** The path of a URL on this site, from the site's root; null for other sites. Paths have the site's base path. */
export function localPath(url: string, origins: readonly string[]): SitePath | null {
  if (url.startsWith('/') && !url.startsWith('//')) return serverPath(withoutBase(url))
  const origin = origins.find((own) => url === own || url.startsWith(`${own}/`))
  return origin === undefined ? null : serverPath(url.slice(origin.length) || '/')
}

/** A search without an answer. `reached`: a server has answered, with an error. The message is shown. */
export interface FailedSearch {
  reached: boolean
  message: string
}

/** The library of a hit; empty for a page of no library, or of several. */
export function onlyLibrary(library: string | readonly string[] | undefined): string {
  if (typeof library === 'string') return library
  return library?.length === 1 ? (library[0] ?? '') : ''
}

/** Whether a query can be asked as a question: it has three letters or digits. */
export function isQuestion(query: string): boolean {
  return /(?:[\p{L}\p{N}].*){3}/su.test(query)
}

const KIND_LABELS: Record<string, string> = { reference: 'API', example: 'Example', blog: 'Blog', site: 'This site', release: 'Release' }

/** What a hit is called that is not a guide. */
export function kindLabel(kind: string): string | undefined {
  return KIND_LABELS[kind]
}

/** The next index for a key, wrapping around; null for keys without a function. Home and End belong to the text. */
export function nextIndex(key: string, from: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (from + 1) % count
    case 'ArrowUp':
      return (from - 1 + count) % count
    default:
      return null
  }
}

/** A recent page or a favorite. */
export interface SavedPage {
  url: string
  title: string
  library: string
}

export const RECENT = 'search:recent'
export const FAVORITES = 'search:favourites'
/** Whether questions are shown to maintainers: yes or no. */
export const SHARE_QUESTIONS = 'search:share-questions'
export const MAX_RECENT = 7
export const MAX_FAVORITES = 10

/** Parses stored pages. Invalid values count as an empty list: readers can edit their storage. */
export function parseSavedPages(stored: string | null | undefined): SavedPage[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(list) ? list.filter(isSavedPage) : []
  } catch {
    return []
  }
}

function isSavedPage(value: unknown): value is SavedPage {
  if (typeof value !== 'object' || value === null) return false
  const { url, title, library } = value as Partial<Record<keyof SavedPage, unknown>> // each is checked
  return typeof url === 'string' && url.startsWith('/') && typeof title === 'string' && typeof library === 'string'
}

/** Puts the page first, without duplicates and with at most `most` pages. */
export function addSavedPage(list: readonly SavedPage[], page: SavedPage, most: number): SavedPage[] {
  return [page, ...removeSavedPage(list, page.url)].slice(0, most)
}

export function removeSavedPage(list: readonly SavedPage[], url: string): SavedPage[] {
  return list.filter((entry) => entry.url !== url)
}

/** The search page. Its own `q` is not changed by a dialog over it. */
const SEARCH_PATH = '/search'

/** The URL with the query, or without an empty one. URLs count pages from one. */
export function setSearchInUrl(href: string, query: string, page: number): string {
  const url = new URL(href)
  if (withoutBase(url.pathname) === SEARCH_PATH) return url.pathname + url.search + url.hash
  url.searchParams.delete('q')
  url.searchParams.delete('page')
  if (query) url.searchParams.set('q', query)
  if (query && page > 0) url.searchParams.set('page', `${page + 1}`)
  return url.pathname + url.search + url.hash
}

/** The query in a URL, and its page counted from zero. */
export function readSearchFromUrl(search: string): { query: string; page: number } {
  const params = new URLSearchParams(search)
  const page = Number(params.get('page'))
  return {
    query: (params.get('q') ?? '').slice(0, MAX_QUERY_LENGTH),
    page: Number.isInteger(page) && page > 1 ? page - 1 : 0,
  }
}

/** The parameters of the search page. */
export interface SearchParams {
  q: string
  library: string
  framework: string
  version: string
  /** Counted from one. */
  page: number
}

/** Invalid parameters are ignored. */
export function parseSearchParams(search: Record<string, unknown>): Partial<SearchParams> {
  const text = (name: string) => {
    const value = search[name]
    // The router parses numbers.
    return typeof value === 'string' || typeof value === 'number' ? `${value}`.trim().slice(0, MAX_QUERY_LENGTH) : ''
  }
  const [q, library, framework, version] = ['q', 'library', 'framework', 'version'].map(text)
  const page = Number(search['page'])
  return {
    ...(q ? { q } : {}),
    ...(library ? { library } : {}),
    ...(framework ? { framework } : {}),
    ...(version ? { version } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  }
}

/** Limits a page number to those that exist, counted from one. Without results there is one page. */
export function clampPage(pages: number, wanted: number): number {
  return Math.min(wanted, Math.max(pages, 1))
}

/** Pages with a button: the current one, two before and two after it, as many at the ends. Counted from zero. */
export function nearbyPages(current: number, pages: number): number[] {
  const count = Math.min(pages, 5)
  const first = Math.max(0, Math.min(current - 2, pages - count))
  return Array.from({ length: count }, (_, at) => first + at)
}

/** The URL of the search page with these parameters. */
export function searchUrl({ q = '', library = '', framework = '', version = '', page = 1 }: Partial<SearchParams>): SitePath {
  const parts = { q, library, framework, version, page: page > 1 ? `${page}` : '' }
  const search = `${new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== ''))}`
  return serverPath(search ? `${SEARCH_PATH}?${search}` : SEARCH_PATH)
}
