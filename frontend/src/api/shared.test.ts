import { expect, test, vi } from 'vitest'
import keys from '../../../tests/samples/keys.json'
import { config, page, shell } from '../../tests/samples'
import type { CallFunction } from './call'
import { ANSWERS, withPrefetched, queryKey, readPrefetched } from './shared'

const REQUEST = { repo: 'acme/atlas', branch: 'main', filePath: 'docs/overview.md' }
const FILES: Record<string, unknown> = {
  '/_shared/1f/site.shell?payload=%7B%22data%22%3Anull%7D': shell,
  '/_shared/2f/docs.config?payload=%7B%22data%22%3A%7B%22repo%22%3A%22acme%2Fatlas%22%7D%7D': config,
}

/** Stubs a document with these answers and files with the shared ones. */
function stubDocument(own: object, status = 200) {
  const element = { textContent: JSON.stringify(own) }
  vi.stubGlobal('location', { origin: 'https://acme.example' })
  vi.stubGlobal('document', {
    getElementById: (id: string) => (id === ANSWERS ? element : null),
    querySelector: (query: string) => (query === '[data-html="0"]' ? { innerHTML: '<p>Here</p>' } : null),
  })
  vi.stubGlobal('fetch', (href: string) => Promise.resolve(new Response(JSON.stringify(FILES[href]), { status })))
}

test('answers of the page need no call', async () => {
  const body = { ...page('One', ''), html: { $html: '\u00020\u0002' } }
  stubDocument({ [queryKey('docs.page', REQUEST)]: { kind: 'ok', data: body } })
  const called = vi.fn<CallFunction>()
  const call = withPrefetched(await readPrefetched(Object.keys(FILES)), called)
  expect(await call('site.shell', null)).toEqual({ kind: 'ok', data: shell })
  expect(await call('docs.config', { repo: 'acme/atlas' })).toEqual({ kind: 'ok', data: config })
  expect(await call('docs.page', REQUEST)).toMatchObject({ data: { title: 'One', html: { slot: '0', text: '<p>Here</p>' } } })
  expect(called).not.toHaveBeenCalled()
})

test('other answers are called for', async () => {
  stubDocument({})
  const answer = { kind: 'ok', data: [] } as const
  const called = vi.fn<CallFunction>(() => Promise.resolve(answer))
  expect(await withPrefetched(await readPrefetched([]), called)('blog.list', null)).toBe(answer)
  expect(called).toHaveBeenCalledWith('blog.list', null)
})

test('a missing shared file is an error with its URL', async () => {
  stubDocument({}, 404)
  await expect(readPrefetched(Object.keys(FILES))).rejects.toThrow('/_shared/1f/site.shell')
})

// The server computes keys, too: its tests read the same samples.
test.each(keys)('the key of an answer to $id is $key', ({ id, data, key }) => {
  expect(queryKey(id, data)).toBe(key)
})
