// What a docs page's loader asks for.
import { isNotFound, notFound } from '@tanstack/react-router'
import type { Load } from '../api/call'
import type { DocPage, DocRequest, LibraryCard, NearPage } from '../api/generated'
import type { Version } from './version'

export function docRequest(library: LibraryCard, version: Version, path: string): DocRequest {
  return {
    repo: library.repo,
    branch: version.branch,
    filePath: `${library.docsRoot}/${path}.md`,
    version: version.name,
  }
}

/** What a missing page says: why, and which pages may have been meant. */
export interface Missing {
  message: string
  nearest: NearPage[]
}

/** The page; one that is missing is thrown with the pages nearest to it. */
export async function loadPage(load: Load, library: LibraryCard, version: Version, path: string): Promise<DocPage> {
  try {
    return await load('docs.page', docRequest(library, version, path))
  } catch (error) {
    if (!isNotFound(error)) throw error
    const { repo, docsRoot } = library
    // Without a suggestion the page is still missing.
    const nearest = await load('docs.nearest', {
      repo,
      branch: version.branch,
      docsRoot,
      path,
      version: version.name,
    }).catch((): NearPage[] => [])
    throw missing(messageOf(error), nearest)
  }
}

/** To be thrown: what is missing, and where one may go instead. */
export function missing(message: string, nearest: NearPage[]) {
  const data: Missing = { message, nearest }
  return notFound({ data })
}

/** To be thrown in place of an error: where something is missing it says where one may go instead. */
export function withWayOn(error: unknown, ...nearest: NearPage[]): unknown {
  return isNotFound(error) ? missing(messageOf(error), nearest) : error
}

/** What the one who did not find it said. The router may wrap what was thrown. */
export function messageOf(thrown: unknown): string {
  return found(thrown, 'message', (value) => typeof value === 'string') ?? ''
}

export function nearestOf(thrown: unknown): NearPage[] {
  return found(thrown, 'nearest', (value) => Array.isArray(value)) ?? []
}

function found<Kind>(thrown: unknown, key: keyof Missing, fits: (value: unknown) => boolean): Kind | null {
  if (typeof thrown !== 'object' || thrown === null) return null
  // `fits` says that it is what the caller expects under this key.
  if (key in thrown && fits(Reflect.get(thrown, key))) return Reflect.get(thrown, key) as Kind
  return 'data' in thrown ? found(thrown.data, key, fits) : null
}
