// Algolia's client. It searches on this server, or on the hosts that the operator configured.
import { liteClient } from 'algoliasearch/lite'
import type { SearchClient } from 'instantsearch.js'
import type { SearchConfig } from '../../api/generated'
import type { FailedSearch } from '../../lib/search/search'
import { getBase, withBase } from '../../lib/paths'

/** In milliseconds (spec section 9). */
const TIMEOUTS = { connect: 1000, read: 2000, write: 30_000 }
/** The timeouts that the client uses for a second host. */
const RETRY_TIMEOUTS = { connect: 4 * TIMEOUTS.connect, read: 4 * TIMEOUTS.read }

type SearchOptions = Pick<SearchConfig, 'appId' | 'apiKey' | 'hosts'>

/** `onFailure` receives a failed search, and null after a successful one: the widgets do not report errors. */
export function createSearchClient({ appId, apiKey, hosts }: SearchOptions, onFailure: (failure: FailedSearch | null) => void): SearchClient {
  const here = { url: location.host + getBase(), protocol: location.protocol.slice(0, -1) }
  const client = liteClient(appId, apiKey, {
    hosts: (hosts.length > 0 ? hosts : [here]).map(({ url, protocol }) => ({
      url,
      protocol: protocol === 'http' ? 'http' : 'https',
      accept: 'readWrite',
    })),
    // The client avoids a failed host for two minutes.
    timeouts: TIMEOUTS,
  })
  let lastSearch = 0
  const search: SearchClient['search'] = async (requests) => {
    lastSearch += 1
    const thisSearch = lastSearch
    const isLast = () => thisSearch === lastSearch
    // Results of earlier searches are not reported.
    const report = (failure: FailedSearch | null) => isLast() && onFailure(failure)
    // An empty query is not sent.
    if (requests.every(({ params }) => !params?.query)) {
      report(null)
      return emptyResponse(requests.length)
    }
    try {
      const answer = await client.search(requests).catch((failure: unknown) => {
        // Retry with the longer timeouts that the client would use for a second host.
        if (isLast() && timedOut(failure)) return client.search(requests, { timeouts: RETRY_TIMEOUTS })
        throw failure
      })
      report(null)
      return answer
    } catch (failure) {
      // An empty answer would be shown as no results. The widgets skip this search once a later one is answered.
      if (!isLast()) return new Promise(() => undefined)
      report(failedSearch(failure, hosts.length > 0))
      return emptyResponse(requests.length)
    }
  }
  // The widgets call no other functions of the client.
  return { ...client, search } as SearchClient
}

/** The client of a page of an export. Its engine is loaded by the first search. */
export function createLazyStaticClient(onFailure: (failure: FailedSearch | null) => void): SearchClient {
  let client: Promise<SearchClient> | undefined
  const search: SearchClient['search'] = async (requests) => {
    client ??= import('../../exportSearch/staticSearchClient').then(({ createStaticSearchClient }) => createStaticSearchClient(onFailure))
    return (await client).search(requests)
  }
  // The widgets call no other functions of the client.
  return { search } as SearchClient
}

interface HostResponse {
  response: { status: number; content: string; isTimedOut?: boolean }
}

/** The response of each host, from the client's error; the status of a host without a response is 0. */
function hostResponses(failure: unknown): HostResponse[] {
  return (Object(failure) as { stackTrace?: HostResponse[] }).stackTrace ?? []
}

/** Whether the only host timed out. */
function timedOut(failure: unknown): boolean {
  const [only, ...others] = hostResponses(failure)
  return others.length === 0 && only?.response.isTimedOut === true
}

/** What is shown of a failure. Texts of the client are shown only for a hosted search (spec section 8). */
function failedSearch(failure: unknown, isHosted: boolean): FailedSearch {
  const answered = hostResponses(failure).findLast(({ response }) => response.status > 0)
  const message = answered && serverMessage(answered.response.content)
  if (message) return { reached: true, message }
  if (isHosted) return { reached: Boolean(answered), message: failure instanceof Error ? failure.message : String(failure) }
  return answered
    ? { reached: true, message: 'The server cannot answer right now. Try again in a moment.' }
    : { reached: false, message: 'Check your connection.' }
}

/** The message in a response with an error. */
function serverMessage(content: string): string | undefined {
  try {
    const { message }: { message?: unknown } = JSON.parse(content)
    return typeof message === 'string' ? message : undefined
  } catch {
    // A proxy in front of the host may respond with HTML.
    return undefined
  }
}

interface ClickedHit {
  objectID: string
  __position: number
  __queryID?: string | undefined
}

/** Counts an opened result, without a user id. A beacon, since the page is being left. */
export function sendClick({ appId, apiKey, hosts, index }: SearchConfig, hit: ClickedHit): void {
  // Configured hosts have analytics of their own.
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
  navigator.sendBeacon(withBase(`/1/events?${keys}`), JSON.stringify({ events: [click] }))
}

/** The response to an empty query. */
async function emptyResponse(count: number) {
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
