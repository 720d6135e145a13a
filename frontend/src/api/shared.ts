// The answers that a page was rendered from. The page's own answers are JSON in its document; answers that many pages share
// (the shell, a library's docs menu) are files.
import type { CallFunction, Envelope, FunctionId } from './call'
import type { Shell } from './generated'
import { parse } from './html'
import { sharedUrl } from './sharedUrls'

/** The id of the element with the page's own answers. */
export const ANSWERS = 'Site-answers'

export function queryKey(id: string, data: unknown): string {
  return `${id}\n${JSON.stringify(data)}`
}

/** The key of the answer with what all pages share. */
export const SHELL_KEY = queryKey('site.shell', null)

/** Fetches `/_shared/{digest}/{id}?payload=…`. Returns the answer with its key. */
async function fetchShared(href: string): Promise<[string, Envelope]> {
  const { pathname, searchParams } = new URL(href, location.origin)
  const response = await fetch(href)
  if (!response.ok) throw new Error(`${href}: status ${response.status}`)
  const { data } = JSON.parse(searchParams.get('payload') ?? '{}')
  const id = pathname.slice(pathname.lastIndexOf('/') + 1)
  return [queryKey(id, data), { kind: 'ok', data: parse(await response.text()) }]
}

/** The answers that the page in the document was rendered from, by key. */
export async function readPrefetched(shared: readonly string[]): Promise<Map<string, Envelope>> {
  const files = await Promise.all(shared.map(fetchShared))
  // Written by our server; empty in a page that seldom needs the app, which then requests them.
  const own = parse(document.getElementById(ANSWERS)?.textContent || '{}') as Record<string, Envelope>
  return new Map([...files, ...Object.entries(own)])
}

/** What all pages of the site share. Rejects on a page that names no file with it. */
export async function fetchShell(): Promise<Shell> {
  const [, answer] = await fetchShared(sharedUrl('site.shell'))
  if (answer.kind !== 'ok') throw new Error('The shell could not be read')
  // The registry that answered is the one `Shell` was generated from.
  return answer.data as Shell
}

/** Answers from `known`, and requests the rest. */
export function withPrefetched(known: ReadonlyMap<string, Envelope>, call: CallFunction): CallFunction {
  return async (id: FunctionId, data) => known.get(queryKey(id, data)) ?? call(id, data)
}
