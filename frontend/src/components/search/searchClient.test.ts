// @vitest-environment happy-dom
import { liteClient } from 'algoliasearch/lite'
import { beforeEach, expect, test, vi } from 'vitest'
import type { FailedSearch } from '../../lib/search/search'
import { createSearchClient } from './searchClient'

vi.mock('algoliasearch/lite', () => ({ liteClient: vi.fn<typeof liteClient>() }))

const UNREACHABLE = 'Unreachable hosts - your application id may be incorrect.'
const OWN = { appId: 'app', apiKey: 'key', hosts: [] }
const HOSTED = { ...OWN, hosts: [{ url: 'app-dsn.algolia.net', protocol: 'https' as const }] }
const REQUESTS = [{ indexName: 'acme', params: { query: 'cache' } }]

const send = vi.fn<() => Promise<unknown>>()
const failures: (FailedSearch | null)[] = []

beforeEach(() => {
  failures.length = 0
  vi.mocked(liteClient).mockReturnValue({ search: send } as unknown as ReturnType<typeof liteClient>)
})

/** The client's error after these responses of hosts. */
function retryError(...responses: { status: number; content: string }[]): Error {
  return Object.assign(new Error(UNREACHABLE), { stackTrace: responses.map((response) => ({ response })) })
}

async function failedSearch(config: typeof OWN | typeof HOSTED, failure: Error) {
  send.mockRejectedValue(failure)
  await createSearchClient(config, (reported) => failures.push(reported)).search(REQUESTS)
  return failures
}

const NO_RESPONSE = { status: 0, content: '' }

test('an unreachable server asks for the connection, without the text of the client', async () => {
  expect(await failedSearch(OWN, retryError(NO_RESPONSE))).toEqual([{ reached: false, message: 'Check your connection.' }])
})

test('unreachable hosts of a hosted search are reported as by its client', async () => {
  expect(await failedSearch(HOSTED, retryError(NO_RESPONSE))).toEqual([{ reached: false, message: UNREACHABLE }])
})

test.each([OWN, HOSTED])('the message of the server is shown', async (config) => {
  const refused = retryError({ status: 503, content: '{"message": "Not yet", "status": 503}' })
  expect(await failedSearch(config, refused)).toEqual([{ reached: true, message: 'Not yet' }])
})

test('an HTML error of a proxy is not shown', async () => {
  const [failure] = await failedSearch(OWN, retryError({ status: 502, content: '<h1>Bad Gateway</h1>' }))
  expect(failure).toEqual({ reached: true, message: 'The server cannot answer right now. Try again in a moment.' })
})

test('an earlier search that fails while a later one is pending gives no empty answer', async () => {
  const client = createSearchClient(OWN, (reported) => failures.push(reported))
  let failFirst: (failure: Error) => void = () => undefined
  send.mockImplementationOnce(() => new Promise((_, reject) => {
    failFirst = reject
  }))
  const first = vi.fn<() => void>()
  void Promise.resolve(client.search(REQUESTS)).then(first)
  send.mockResolvedValueOnce({ results: [] })
  const second = client.search(REQUESTS)
  failFirst(retryError(NO_RESPONSE))
  expect(await second).toEqual({ results: [] })
  expect(first).not.toHaveBeenCalled()
  expect(failures).toEqual([null])
})
