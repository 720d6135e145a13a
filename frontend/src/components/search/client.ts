// The official client, which asks our own server unless the operator has moved the index elsewhere.
import { liteClient } from 'algoliasearch/lite'
import type { SearchClient } from 'instantsearch.js'
import type { SearchConfig } from '../../api/generated'

/** In milliseconds (spec section 9). */
const TIMEOUTS = { connect: 1000, read: 2000, write: 30_000 }
/** As long as the client waits for the second of several hosts. */
const LONGER = { connect: 4 * TIMEOUTS.connect, read: 4 * TIMEOUTS.read }

/** `tell` hears why a search failed, and null once one succeeds: the widgets show answers, and a failure is none. */
export function makeClient({ appId, apiKey, hosts }: SearchConfig, tell: (failure: string | null) => void): SearchClient {
  const here = { url: location.host, protocol: location.protocol.slice(0, -1) }
  const client = liteClient(appId, apiKey, {
    hosts: (hosts.length > 0 ? hosts : [here]).map(({ url, protocol }) => ({
      url,
      protocol: protocol === 'http' ? 'http' : 'https',
      accept: 'readWrite',
    })),
    // A host that failed rests for two minutes: the client's own rule.
    timeouts: TIMEOUTS,
  })
  let latest = 0
  const search: SearchClient['search'] = async (requests) => {
    latest += 1
    const mine = latest
    // What an earlier search comes to is no news any more.
    const report = (failure: string | null) => mine === latest && tell(failure)
    // Before anything is typed there is nothing to ask, and nothing to fail.
    if (requests.every(({ params }) => !params?.query)) {
      report(null)
      return nothing(requests.length)
    }
    try {
      const answer = await client.search(requests).catch((failure: unknown) => {
        // A line may be slow for a second. The client would wait longer for the next host, where there is one.
        if (mine === latest && wasLate(failure)) return client.search(requests, { timeouts: LONGER })
        throw failure
      })
      report(null)
      return answer
    } catch (failure) {
      report(reasonOf(failure))
      return nothing(requests.length)
    }
  }
  // The same functions but for one, and no more than the widgets call.
  return { ...client, search } as SearchClient
}

interface Heard {
  response: { status: number; content: string; isTimedOut?: boolean }
}

/** What the client heard from each host, which its failures tell; of those it never heard, the status is 0. */
function heard(failure: unknown): Heard[] {
  return (Object(failure) as { stackTrace?: Heard[] }).stackTrace ?? []
}

/** Whether the only host has not answered in time. */
function wasLate(failure: unknown): boolean {
  const [only, ...others] = heard(failure)
  return others.length === 0 && only?.response.isTimedOut === true
}

/** What the last host that answered said; where none did, the client's own words (spec section 8). */
function reasonOf(failure: unknown): string {
  const answered = heard(failure).findLast(({ response }) => response.status > 0)
  try {
    const { message }: { message?: unknown } = JSON.parse(answered?.response.content ?? '{}')
    if (typeof message === 'string') return message
  } catch {
    // Whoever stands before the host may answer with a page.
  }
  return failure instanceof Error ? failure.message : String(failure)
}

interface Clicked {
  objectID: string
  __position: number
  __queryID?: string | undefined
}

/** Counts that a result was chosen, without saying by whom. Never waited for: the page that was chosen is on its way. */
export function tellClick({ appId, apiKey, hosts, index }: SearchConfig, hit: Clicked): void {
  // Whoever else answers keeps counts of its own, by rules of its own.
  if (hosts.length > 0 || !hit.__queryID) return
  const keys = new URLSearchParams({ 'x-algolia-application-id': appId, 'x-algolia-api-key': apiKey })
  const click = {
    eventType: 'click',
    eventName: 'Result Opened',
    index,
    queryID: hit.__queryID,
    objectIDs: [hit.objectID],
    positions: [hit.__position],
  }
  navigator.sendBeacon(`/1/events?${keys}`, JSON.stringify({ events: [click] }))
}

/** The answer to a question without words. */
async function nothing(count: number) {
  const results = Array.from({ length: count }, () => ({
    hits: [],
    nbHits: 0,
    nbPages: 0,
    page: 0,
    hitsPerPage: 0,
    processingTimeMS: 0,
    exhaustiveNbHits: true,
    query: '',
    params: '',
  }))
  return { results }
}
