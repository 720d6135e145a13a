// Versions of a library: which exist, what each is called, and where a change of version leads.
import type { Alternative, LibraryCard } from '../api/generated'
import type { Choice } from './choice'
import { opens } from './choice'
import { inVersion } from './paths'

export const LATEST = 'latest'

export interface Version {
  /** As the address has it: `latest` or the name of a version. */
  name: string
  branch: string
}

/** The version an address means; null when the library has none of that name. */
export function versionOf(library: LibraryCard, name: string): Version | null {
  const wanted = name === LATEST ? library.latestVersion : name
  const found = library.versions.find((version) => version.name === wanted)
  return found ? { name, branch: found.branch } : null
}

export function isLatest(library: LibraryCard, version: string): boolean {
  return version === LATEST || version === library.latestVersion
}

/** What a title calls the library: an old version says which it is, for tabs and bookmarks beside those of the latest. */
export function nameIn(library: LibraryCard, { name }: Version): string {
  return isLatest(library, name) ? library.name : `${library.name} ${name}`
}

interface Place {
  library: LibraryCard
  version: string
  pathname: string
  /** Where the page is in the versions that there are docs of, when that is known. */
  alternatives: readonly Alternative[] | undefined
}

/** What the version menu offers: the latest first, then every version by its name. */
export function versionChoices({ library, version, pathname, alternatives }: Place): Choice[] {
  const named = library.versions.map(({ name }) => ({ name, label: name }))
  return [{ name: LATEST, label: 'Latest' }, ...named].flatMap(({ name, label }) => {
    const current = name === version
    const found = alternatives?.find((alternative) => alternative.name === name)
    if (alternatives && !found && !current) return []
    return [{ key: name, label, href: found?.to ?? inVersion(pathname, name), note: opens(found?.title), current }]
  })
}
