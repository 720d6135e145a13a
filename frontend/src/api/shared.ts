// What a page is made of, so that the app asks for nothing again: the page's own answers stand in it as data, and those
// that many pages share — the shell, a library's menu — are files, fetched with the app.
import type { Ask, Envelope, FunctionId } from './call'
import { parse } from './html'

/** Where the page's own answers stand. */
export const ANSWERS = 'answers'

export function keyOf(id: string, data: unknown): string {
  return `${id}\n${JSON.stringify(data)}`
}

/** `/_shared/{digest}/{id}?payload=…` says whose answer it is. */
async function fetchShared(href: string): Promise<[string, Envelope]> {
  const { pathname, searchParams } = new URL(href, location.origin)
  const response = await fetch(href)
  if (!response.ok) throw new Error(`${href} is not there any more`)
  const { data } = JSON.parse(searchParams.get('payload') ?? '{}')
  const id = pathname.slice(pathname.lastIndexOf('/') + 1)
  return [keyOf(id, data), { kind: 'ok', data: parse(await response.text()) }]
}

/** The answers that the page in the document was made of, by key. */
export async function readAnswers(shared: readonly string[]): Promise<Map<string, Envelope>> {
  const files = await Promise.all(shared.map(fetchShared))
  // Written by our server.
  const own = parse(document.getElementById(ANSWERS)?.textContent ?? '{}') as Record<string, Envelope>
  return new Map([...files, ...Object.entries(own)])
}

/** Answers from these while there are any, and asks for the rest. */
export function answering(known: ReadonlyMap<string, Envelope>, ask: Ask): Ask {
  return async (id: FunctionId, data) => known.get(keyOf(id, data)) ?? ask(id, data)
}
