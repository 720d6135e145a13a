// Loads a docs page, and describes pages that are missing.
import { isNotFound, notFound } from '@tanstack/react-router'
import type { Load } from '../api/call'
import type { Alternative, DocPage, DocRequest, LibraryCard, MissingPage, NearPage } from '../api/generated'
import { paths } from './paths'
import type { Version } from './docs/version'
import { LATEST } from './docs/version'

export function docRequest(library: LibraryCard, version: Version, path: string): DocRequest {
  return {
    repo: library.repo,
    branch: version.branch,
    filePath: `${version.docsRoot}/${path}.md`,
    version: version.name,
  }
}

/** The data of a missing page: why, similar pages, and a page in each version. */
export interface NotFoundData {
  message: string
  nearest: NearPage[]
  versions?: Alternative[]
  /** The heading of the similar pages. */
  heading?: string
}

/** Loads the page. For a missing one it throws `notFound()` with the nearest pages. */
export async function loadPage(load: Load, library: LibraryCard, version: Version, path: string): Promise<DocPage> {
  try {
    return await load('docs.page', docRequest(library, version, path))
  } catch (error) {
    if (!isNotFound(error)) throw error
    // Without suggestions the page is still not found.
    const found = await load('docs.nearest', {
      repo: library.repo,
      branch: version.branch,
      docsRoot: version.docsRoot,
      path,
      version: version.name,
    }).catch((): MissingPage => ({ nearest: [], versions: [] }))
    throw pageNotFound({ message: readNotFoundMessage(error), ...found })
  }
}

/** A `notFound()` with suggested pages, to be thrown. */
export function pageNotFound(data: NotFoundData) {
  return notFound({ data })
}

/** Adds suggested pages to a `notFound()` error. Other errors are returned unchanged. */
export function suggestPages(error: unknown, ...nearest: NearPage[]): unknown {
  return isNotFound(error) ? pageNotFound({ message: readNotFoundMessage(error), nearest }) : error
}

/** The message of a `notFound()`. The router may wrap its data. */
export function readNotFoundMessage(thrown: unknown): string {
  return readField(thrown, 'message', (value) => typeof value === 'string') ?? ''
}

export function readNearestPages(thrown: unknown): NearPage[] {
  return readField(thrown, 'nearest', (value) => Array.isArray(value)) ?? []
}

export function readHeading(thrown: unknown): string {
  return readField(thrown, 'heading', (value) => typeof value === 'string') ?? 'Perhaps you meant'
}

/** The targets of the version menu of a missing page: pages that exist. */
export function missingPageVersions(thrown: unknown, { id, versions }: LibraryCard): Alternative[] {
  const found: Alternative[] | null = readField(thrown, 'versions', (value) => Array.isArray(value) && value.length > 0)
  return found ?? [LATEST, ...versions.map(({ name }) => name)].map((name) => ({ name, to: paths.docs(id, name), title: 'Docs' }))
}

function readField<Kind>(thrown: unknown, key: keyof NotFoundData, fits: (value: unknown) => boolean): Kind | null {
  if (typeof thrown !== 'object' || thrown === null) return null
  // `fits` has checked the type.
  if (key in thrown && fits(Reflect.get(thrown, key))) return Reflect.get(thrown, key) as Kind
  return 'data' in thrown ? readField(thrown.data, key, fits) : null
}
