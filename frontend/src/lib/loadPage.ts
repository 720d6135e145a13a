// Loads a docs page, and describes pages that are missing.
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

/** The data of a missing page: why, and similar pages. */
export interface NotFoundData {
  message: string
  nearest: NearPage[]
}

/** Loads the page. For a missing one it throws `notFound()` with the nearest pages. */
export async function loadPage(load: Load, library: LibraryCard, version: Version, path: string): Promise<DocPage> {
  try {
    return await load('docs.page', docRequest(library, version, path))
  } catch (error) {
    if (!isNotFound(error)) throw error
    const { repo, docsRoot } = library
    // Without suggestions the page is still not found.
    const nearest = await load('docs.nearest', {
      repo,
      branch: version.branch,
      docsRoot,
      path,
      version: version.name,
    }).catch((): NearPage[] => [])
    throw pageNotFound(readNotFoundMessage(error), nearest)
  }
}

/** A `notFound()` with suggested pages, to be thrown. */
export function pageNotFound(message: string, nearest: NearPage[]) {
  const data: NotFoundData = { message, nearest }
  return notFound({ data })
}

/** Adds suggested pages to a `notFound()` error. Other errors are returned unchanged. */
export function suggestPages(error: unknown, ...nearest: NearPage[]): unknown {
  return isNotFound(error) ? pageNotFound(readNotFoundMessage(error), nearest) : error
}

/** The message of a `notFound()`. The router may wrap its data. */
export function readNotFoundMessage(thrown: unknown): string {
  return readField(thrown, 'message', (value) => typeof value === 'string') ?? ''
}

export function readNearestPages(thrown: unknown): NearPage[] {
  return readField(thrown, 'nearest', (value) => Array.isArray(value)) ?? []
}

function readField<Kind>(thrown: unknown, key: keyof NotFoundData, fits: (value: unknown) => boolean): Kind | null {
  if (typeof thrown !== 'object' || thrown === null) return null
  // `fits` has checked the type.
  if (key in thrown && fits(Reflect.get(thrown, key))) return Reflect.get(thrown, key) as Kind
  return 'data' in thrown ? readField(thrown.data, key, fits) : null
}
