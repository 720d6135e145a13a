// What to search for in place of a page that does not exist.
import type { LibraryCard } from '../api/generated'
import { docsPath, paths } from './paths'

const MAX_WORDS = 60

/** What to search for in place of a missing page: the words of the end of its path, and its library. */
export function missingPageSearch(pathname: string, libraries: readonly LibraryCard[]) {
  const inDocs = docsPath(pathname)
  const last = (inDocs ?? pathname).split('/').findLast(Boolean) ?? ''
  const words = decoded(last).split(/[^\p{L}\p{N}]+/u).filter(Boolean).join(' ').slice(0, MAX_WORDS).trim()
  const library = inDocs === null ? undefined : libraries.find(({ id }) => id === pathname.split('/')[1])
  return words ? { words, to: paths.search({ q: words, ...(library ? { library: library.id } : {}) }) } : undefined
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
