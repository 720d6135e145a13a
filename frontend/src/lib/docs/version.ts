// Versions of a library, their names, and the targets of the version menu.
import type { Alternative, FrameworkOption, LibraryCard, LibraryVersion, ReleaseVersion } from '../../api/generated'
import type { MenuChoice } from '../menuChoice'
import { describeTarget } from '../menuChoice'
import { formatDate } from '../format'
import { isPreviewName, replaceVersion, serverPath } from '../paths'

export const LATEST = 'latest'

/** A version. Its name is as in the URL: `latest`, the name of a version, or the number of a release. */
export interface Version extends LibraryVersion {
  /** Of a release: its day, and the numbers of packages for frameworks that have another one. Of a preview: its pull request. */
  release?: Omit<ReleaseVersion, 'version'>
}

/** The version of a URL segment; null if the library does not have it. */
export function findVersion(library: LibraryCard, name: string): Version | null {
  const found = named(library, name)
  return found ? { ...found, name } : null
}

function named(library: LibraryCard, name: string): LibraryVersion | undefined {
  const wanted = name === LATEST ? library.latestVersion : name
  return library.versions.find((version) => version.name === wanted)
}

export function isLatest(library: LibraryCard, version: string): boolean {
  return version === LATEST || version === library.latestVersion
}

/** The library's name for page titles, with the version if it is not the latest. */
export function versionedName(library: LibraryCard, { name }: Version): string {
  return isLatest(library, name) ? library.name : `${library.name} ${versionTitle(library, name)}`
}

/** What pages call a version: its label, else its name. */
export function versionTitle(library: LibraryCard, name: string): string {
  const found = named(library, name)
  return found?.label ?? found?.name ?? (isPreviewName(name) ? `PR #${name.slice(3)}` : name)
}

/** The name of a version in lists: `v5 (latest)`, `v4`, or its label. */
export function versionLabel(library: LibraryCard, name: string): string {
  const title = versionTitle(library, name)
  return isLatest(library, name) && !named(library, name)?.label ? `${title} (latest)` : title
}

/** What a page says about its version: `text`, and the latest version by its title unless the page is of that one. */
export interface NoticeOfVersion {
  text: string
  current: string | null
}

/** The notice above the pages of a version for a framework; null without one. */
export function versionNotice(
  library: LibraryCard,
  { name, banner, release }: Version,
  framework?: FrameworkOption,
): NoticeOfVersion | null {
  // A preview has a notice of its own.
  if (release?.preview) return null
  const current = isLatest(library, name) ? null : versionTitle(library, LATEST)
  if (release) {
    const own = release.numbers.find((each) => each.framework === framework?.value)
    const ofFramework = own && framework ? ` (${framework.label}: ${own.number})` : ''
    return { text: `These are the docs of release ${name}${ofFramework} from ${formatDate(release.day)}.`, current }
  }
  const title = versionTitle(library, name)
  switch (banner) {
    case 'none':
      return null
    case 'unreleased':
      return { text: `${title} is not released yet.`, current }
    case 'unmaintained':
      return { text: `${title} is no longer maintained.`, current }
    case null:
      return current === null ? null : { text: '', current }
  }
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
