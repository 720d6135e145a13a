import type { LibraryCard } from '../api/generated'

/** The library that the page belongs to: the route of a library adds it to the context of the routes below it. */
export function findMatchedLibrary(matches: readonly { context?: unknown }[]): LibraryCard | undefined {
  return matches.map(({ context }) => context).findLast(hasLibrary)?.library
}

function hasLibrary(context: unknown): context is { library: LibraryCard } {
  return typeof context === 'object' && context !== null && 'library' in context
}
