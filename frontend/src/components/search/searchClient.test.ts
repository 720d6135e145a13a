// @vitest-environment happy-dom
import { liteClient } from 'algoliasearch/lite'
import { beforeEach, expect, test, vi } from 'vitest'
import { searchRequests } from '../../lib/search/searchRequests'
import { createSearchClient } from './searchClient'

vi.mock('algoliasearch/lite', () => ({ liteClient: vi.fn<typeof liteClient>() }))

const UNREACHABLE = 'Unreachable hosts - your application id may be incorrect.'
const OWN = { appId: 'app', apiKey: 'key', hosts: [] as { url: string; protocol: 'https' }[] }
const HOSTED = { ...OWN, hosts: [{ url: 'app-dsn.algolia.net', protocol: 'https' as const }] }
const TARGET = { index: 'acme', library: null, framework: null }
const REQUESTS = searchRequests({ query: 'cache', page: 0, library: [], framework: [], version: 'latest' }, TARGET)

const send = vi.fn<() => Promise<unknown>>()

beforeEach(() => {
  vi.mocked(liteClient).mockReturnValue({ search: send } as unknown as ReturnType<typeof liteClient>)
})

/** The client's error after these responses of hosts. */
function retryError(...responses: { status: number; content: string }[]): Error {
  return Object.assign(new Error(UNREACHABLE), { stackTrace: responses.map((response) => ({ response })) })
}

async function failedSearch(config: typeof OWN | typeof HOSTED, failure: Error) {
  send.mockRejectedValue(failure)
  const outcome = await createSearchClient(config).search(REQUESTS)
  return outcome.kind === 'failed' ? outcome.failure : outcome
}

const NO_RESPONSE = { status: 0, content: '' }

test('an unreachable server asks for the connection, without the text of the client', async () => {
  expect(await failedSearch(OWN, retryError(NO_RESPONSE))).toEqual({ reached: false, message: 'Check your connection.' })
})

test('unreachable hosts of a hosted search are reported as by its client', async () => {
  expect(await failedSearch(HOSTED, retryError(NO_RESPONSE))).toEqual({ reached: false, message: UNREACHABLE })
})

test.each([OWN, HOSTED])('the message of the server is shown', async (config) => {
  const refused = retryError({ status: 503, content: '{"message": "Not yet", "status": 503}' })
  expect(await failedSearch(config, refused)).toEqual({ reached: true, message: 'Not yet' })
})

test('an HTML error of a proxy is not shown', async () => {
  const failure = await failedSearch(OWN, retryError({ status: 502, content: '<h1>Bad Gateway</h1>' }))
  expect(failure).toEqual({ reached: true, message: 'The server cannot answer right now. Try again in a moment.' })
})

test('a slow answer of the only host is not cut', () => {
  createSearchClient(OWN)
  expect(vi.mocked(liteClient).mock.lastCall?.[2]?.timeouts).toEqual({ connect: 12_000, read: 12_000, write: 30_000 })
})

test('of several hosts, the next one is asked after a second', () => {
  createSearchClient({ ...OWN, hosts: [...HOSTED.hosts, { url: 'app-1.algolianet.com', protocol: 'https' as const }] })
  expect(vi.mocked(liteClient).mock.lastCall?.[2]?.timeouts).toEqual({ connect: 1000, read: 2000, write: 30_000 })
})
