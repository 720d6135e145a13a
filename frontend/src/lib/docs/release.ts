// Releases of a library as versions in addresses: `/query/5.28.4/docs`.
import type { FrameworkOption, LibraryCard, ShownRelease, ReleaseVersion } from '../../api/generated'
import type { Load } from '../../api/call'
import { isPreviewName } from '../paths'
import type { Version } from './version'
import { findFramework } from './framework'
import { LATEST } from './version'
import { paths } from '../paths'

const NAME = /^(?:[\w-]+@)?\d+\.\d+/

/** Whether a version in an address may be the number of a release: 5.28.4 or svelte@6.1.39. */
export function isReleaseName(name: string): boolean {
  return NAME.test(name)
}

/** The release with a number, or the preview with a name, as a version; null without one. */
export async function loadRelease(load: Load, library: string, number: string): Promise<Version | null> {
  if (!isReleaseName(number) && !isPreviewName(number)) return null
  const found = await load('releases.find', { library, number })
  return found ? releaseVersion(found) : null
}

export function releaseVersion({ version, ...release }: ReleaseVersion): Version {
  return { ...version, release }
}

/** The releases of an address such as `5.28.4...latest`; null for another one. */
export function splitRange(range: string): { older: string; newer: string } | null {
  const [older = '', newer = '', ...rest] = range.split('...')
  return older && newer && rest.length === 0 ? { older, newer } : null
}

/** The name of a release as a title: Query 5.28.4, or Query for Svelte 6.1.0. */
export function releaseName(library: LibraryCard, { number, framework }: ShownRelease, frameworks: readonly FrameworkOption[]): string {
  if (framework === null) return `${library.name} ${number}`
  return `${library.name} for ${findFramework(frameworks, framework).label} ${number.slice(framework.length + 1)}`
}

/** The Atom feed of a library's releases. */
export function releasesFeed(library: LibraryCard) {
  return { title: `Releases of ${library.name}`, href: paths.releasesFeed(library.id) }
}

/** What pages call the end of a range. */
export function releaseTitle(number: string): string {
  return number === LATEST ? 'the latest docs' : number
}

/** The feed of the releases of a library that changed its docs, for the head. */
export function releaseChangesFeed({ id, name }: Pick<LibraryCard, 'id' | 'name'>) {
  return { title: `Changes to the docs of ${name} by release`, href: paths.releaseChangesFeed(id) }
}
