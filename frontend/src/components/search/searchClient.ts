// Algolia's client. It searches on this server, or on the hosts that the operator configured.
import { liteClient } from 'algoliasearch/lite'
import type { SearchConfig } from '../../api/generated'
import type { FailedSearch } from '../../lib/search/search'
import type { SearchHit } from '../../lib/search/searchHit'
import type { SearchResponse } from '../../lib/search/searchRequests'
import type { SearchClient } from '../../lib/search/searchStore'
import { loadExportSearch } from '../../lib/search/exportSearch'
import { getBase, withBase } from '../../lib/paths'

/** In milliseconds, for each of several hosts (spec section 9). The client avoids a failed host for two minutes. */
const TIMEOUTS = { connect: 1000, read: 2000, write: 30_000 }
/**
 * Of the only host. The client's connect timeout ends when the response starts: a shorter one would cut a slow answer, for which no
 * other host can be asked.
 */
const ONLY_HOST_TIMEOUTS = { connect: 12_000, read: 12_000, write: 30_000 }

type SearchOptions = Pick<SearchConfig, 'appId' | 'apiKey' | 'hosts'>

export function createSearchClient({ appId, apiKey, hosts }: SearchOptions): SearchClient {
  const here = { url: location.host + getBase(), protocol: location.protocol.slice(0, -1) }
  const client = liteClient(appId, apiKey, {
    hosts: (hosts.length > 0 ? hosts : [here]).map(({ url, protocol }) => ({
      url,
      protocol: protocol === 'http' ? 'http' : 'https',
      accept: 'readWrite',
    })),
    timeouts: hosts.length > 1 ? TIMEOUTS : ONLY_HOST_TIMEOUTS,
  })
  return {
    async search(requests) {
      try {
        const { results } = await client.search({ requests: [...requests] })
        // The requests ask for hits only, no values of facets.
        return { kind: 'answered', results: results as unknown as SearchResponse[] }
      } catch (failure) {
        return { kind: 'failed', failure: failedSearch(failure, hosts.length > 0) }
      }
    },
  }
}

/** The client of a page of an export. Its engine is loaded by the first search. */
export function createLazyStaticClient(): SearchClient {
  return {
    async search(requests) {
      try {
        const { searchStatically } = await loadExportSearch()
        return await searchStatically(requests)
      } catch {
        return { kind: 'failed', failure: { reached: false, message: 'Check your connection.' } }
      }
    },
  }
}

interface HostResponse {
  response: { status: number; content: string }
}

/** The response of each host, from the client's error; the status of a host without a response is 0. */
function hostResponses(failure: unknown): HostResponse[] {
  return (Object(failure) as { stackTrace?: HostResponse[] }).stackTrace ?? []
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

/** Counts an opened result, without a user id. A beacon, since the page is being left. */
export function sendClick({ appId, apiKey, hosts, index }: SearchConfig, hit: SearchHit): void {
  // Configured hosts have analytics of their own.
  if (hosts.length > 0 || !hit.queryId) return
  const keys = new URLSearchParams({ 'x-algolia-application-id': appId, 'x-algolia-api-key': apiKey })
  const click = {
    eventType: 'click',
    eventName: 'Result Opened',
    index,
    queryID: hit.queryId,
    objectIDs: [hit.objectID],
    positions: [hit.position],
  }
  navigator.sendBeacon(withBase(`/1/events?${keys}`), JSON.stringify({ events: [click] }))
}
