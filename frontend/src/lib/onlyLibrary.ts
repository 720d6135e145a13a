import type { LibraryCard, Shell } from '../api/generated'

/** The library of a family that has no other one. */
export function onlyLibrary({ libraries: [first, ...others] }: Pick<Shell, 'libraries'>): LibraryCard | undefined {
  return others.length === 0 ? first : undefined
}
