import { withBase } from '../lib/paths'

/** Beginning of the addresses of functions. */
export const FUNCTIONS = '/_server/'

/** The URL of a function that is called with GET. */
export function functionUrl(id: string, data: unknown): string {
  const payload = JSON.stringify({ data, context: {} })
  return withBase(`${FUNCTIONS}${id}?createServerFn&payload=${encodeURIComponent(payload)}`)
}
