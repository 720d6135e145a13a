// Versions of a library, their names, and the targets of the version menu.
import type { Alternative, LibraryCard } from '../../api/generated'
import type { MenuChoice } from '../menuChoice'
import { describeTarget } from '../menuChoice'
import { replaceVersion, serverPath } from '../paths'

export const LATEST = 'latest'

export interface Version {
  /** As in the URL: `latest` or the name of a version. */
  name: string
  branch: string
}

/** The version of a URL segment; null if the library does not have it. */
export function findVersion(library: LibraryCard, name: string): Version | null {
  const wanted = name === LATEST ? library.latestVersion : name
  const found = library.versions.find((version) => version.name === wanted)
  return found ? { name, branch: found.branch } : null
}

export function isLatest(library: LibraryCard, version: string): boolean {
  return version === LATEST || version === library.latestVersion
}

/** The library's name for page titles, with the version if it is not the latest. */
export function versionedName(library: LibraryCard, { name }: Version): string {
  return isLatest(library, name) ? library.name : `${library.name} ${name}`
}

/** The name of a version in lists: `v5 (latest)`, `v4`. */
export function versionLabel(library: LibraryCard, name: string): string {
  return isLatest(library, name) ? `${library.latestVersion} (latest)` : name
}

interface VersionMenuInput {
  library: LibraryCard
  version: string
  pathname: string
  /** The page in other versions, if known. */
  alternatives: readonly Alternative[] | undefined
}

/** The entries of the version menu. The latest version has one, with the address that does not change. */
export function listVersionChoices({ library, version, pathname, alternatives }: VersionMenuInput): MenuChoice[] {
  return library.versions.flatMap(({ name: own }) => {
    const name = own === library.latestVersion ? LATEST : own
    const label = versionLabel(library, name)
    const current = name === version || (name === LATEST && isLatest(library, version))
    const found = alternatives?.find((alternative) => alternative.name === name)
    if (alternatives && !found && !current) return []
    return [{ key: name, label, href: found ? serverPath(found.to) : replaceVersion(pathname, name), note: describeTarget(found?.title), current }]
  })
}
