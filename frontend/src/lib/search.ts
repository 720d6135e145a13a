// What the search knows without asking: where the reader is, what they chose before, how a result reads.
import type { LibraryCard, Shell } from '../api/generated'
import { LATEST, versionOf } from './version'

/** Characters that the box takes (spec section 5). */
export const LONGEST_QUERY = 512

export type Hierarchy = Readonly<Record<string, string | null | undefined>>

/** What a search begins with: the library, the framework and the version of the page one reads. */
export interface Place {
  library: string | null
  framework: string | null
  version: string
}

/** The first segment is the library, what follows `/framework/` the framework (spec section 4). */
export function placeOf(pathname: string, shell: Shell): Place {
  const [, id, segment = LATEST] = pathname.split('/')
  const library = shell.libraries.find((candidate) => candidate.id === id)
  const framework = /\/framework\/([^/]+)/.exec(pathname)?.[1] ?? null
  return {
    library: library?.id ?? null,
    framework: library && framework && shell.frameworks.some(({ value }) => value === framework) ? framework : null,
    version: versionIn(library, segment),
  }
}

/** The latest version is known as `latest`, whatever the address calls it. */
function versionIn(library: LibraryCard | undefined, segment: string): string {
  const version = library && versionOf(library, segment)
  return version && library.latestVersion !== version.name ? version.name : LATEST
}

/** The headings below the page's own title that lead to a section, outermost first. */
export function trail(hierarchy: Hierarchy): string[] {
  return [2, 3, 4, 5, 6].flatMap((level) => hierarchy[`lvl${level}`] ?? [])
}

/** Inside this site an address has no origin; null for one that leads elsewhere. */
export function ownAddress(url: string, origins: readonly string[]): string | null {
  if (url.startsWith('/') && !url.startsWith('//')) return url
  const origin = origins.find((own) => url === own || url.startsWith(`${own}/`))
  return origin === undefined ? null : url.slice(origin.length) || '/'
}

/** The next result for a key, among `count`; null for a key that means nothing here. Past the last comes the first. */
export function moved(key: string, from: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (from + 1) % count
    case 'ArrowUp':
      return (from - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

/** A page that the reader went to, or wants to keep. */
export interface Kept {
  url: string
  title: string
  library: string
}

export const RECENT = 'search:recent'
export const FAVOURITES = 'search:favourites'
export const MOST_RECENT = 7
export const MOST_FAVOURITES = 10

/** What is stored under a key. Anything but a list of pages counts as nothing: storage belongs to the reader. */
export function kept(stored: string | null | undefined): Kept[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(list) ? list.filter(isKept) : []
  } catch {
    return []
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  const { url, title, library } = value as Partial<Record<keyof Kept, unknown>> // each is looked at
  return typeof url === 'string' && url.startsWith('/') && typeof title === 'string' && typeof library === 'string'
}

/** The page in front, once, and no more than `most`. */
export function remember(list: readonly Kept[], page: Kept, most: number): Kept[] {
  return [page, ...forget(list, page.url)].slice(0, most)
}

export function forget(list: readonly Kept[], url: string): Kept[] {
  return list.filter((entry) => entry.url !== url)
}

/** The address of the page for search, whose `q` is its own: what a dialog over it looks for stands nowhere. */
const OWN_PAGE = '/search'

/** The address with the search in it, or without one that is empty. Pages are counted from one where people see them. */
export function withSearch(href: string, query: string, page: number): string {
  const url = new URL(href)
  if (url.pathname === OWN_PAGE) return url.pathname + url.search + url.hash
  url.searchParams.delete('q')
  url.searchParams.delete('page')
  if (query) url.searchParams.set('q', query)
  if (query && page > 0) url.searchParams.set('page', `${page + 1}`)
  return url.pathname + url.search + url.hash
}

/** What an address asks for: the words, and the page counted from zero. */
export function searchIn(search: string): { query: string; page: number } {
  const asked = new URLSearchParams(search)
  const page = Number(asked.get('page'))
  return {
    query: (asked.get('q') ?? '').slice(0, LONGEST_QUERY),
    page: Number.isInteger(page) && page > 1 ? page - 1 : 0,
  }
}

/** What the address of the page for search asks. */
export interface Asked {
  q: string
  library: string
  framework: string
  version: string
  /** Counted from one. */
  page: number
}

/** Anything that makes no sense is as if it were not there. */
export function askedIn(search: Record<string, unknown>): Partial<Asked> {
  const text = (name: string) => {
    const value = search[name]
    // The router reads what looks like a number as one.
    return typeof value === 'string' || typeof value === 'number' ? `${value}`.trim().slice(0, LONGEST_QUERY) : ''
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

/** There is no page past the last; where nothing was found, the first is the last. Counted from one. */
export function pageAmong(pages: number, wanted: number): number {
  return Math.min(wanted, Math.max(pages, 1))
}

/** The address that asks this. */
export function asking({ q = '', library = '', framework = '', version = '', page = 1 }: Partial<Asked>): string {
  const parts = { q, library, framework, version, page: page > 1 ? `${page}` : '' }
  const search = `${new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== ''))}`
  return search ? `${OWN_PAGE}?${search}` : OWN_PAGE
}
