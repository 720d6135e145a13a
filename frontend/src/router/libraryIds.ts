// Which first segments of addresses are libraries. The router matches an address before its loaders run, so it reads the ids from
// the prefetched shell. They are the same in all pages of a site, which is why one variable has them.
import type { Envelope } from '../api/call'
import type { Shell } from '../api/generated'

let ids: ReadonlySet<string> | null = null
let known = ''

/** Takes the ids from the prefetched answer with the shell; without it, every segment counts as a library. Returns whether they
 *  have changed. */
export function readLibraryIds(shell: Envelope | undefined): boolean {
  // The registry that answered is the one `Shell` was generated from.
  const read = shell?.kind === 'ok' ? (shell.data as Shell).libraries.map(({ id }) => id) : null
  const before = known
  ids = read && new Set(read)
  known = read?.join(' ') ?? ''
  return known !== before
}

export function isLibrary(segment: string): boolean {
  return ids === null || ids.has(segment)
}
