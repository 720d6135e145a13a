import { afterEach, expect, test, vi } from 'vitest'
import keys from '../../../tests/samples/keys.json'
import { config, page, shell } from '../samples'
import type { Ask } from './call'
import { ANSWERS, answering, keyOf, readAnswers } from './shared'

const REQUEST = { repo: 'acme/atlas', branch: 'main', filePath: 'docs/overview.md' }
const FILES: Record<string, unknown> = {
  '/_shared/1f/site.shell?payload=%7B%22data%22%3Anull%7D': shell,
  '/_shared/2f/docs.config?payload=%7B%22data%22%3A%7B%22repo%22%3A%22acme%2Fatlas%22%7D%7D': config,
}

/** A document that carries these answers, beside files with the shared ones. */
function opening(own: object, status = 200) {
  const element = { textContent: JSON.stringify(own) }
  vi.stubGlobal('location', { origin: 'https://acme.example' })
  vi.stubGlobal('document', {
    getElementById: (id: string) => (id === ANSWERS ? element : null),
    querySelector: (query: string) => (query === '[data-html="0"]' ? { innerHTML: '<p>Here</p>' } : null),
  })
  vi.stubGlobal('fetch', (href: string) => Promise.resolve(new Response(JSON.stringify(FILES[href]), { status })))
}

afterEach(() => vi.unstubAllGlobals())

test('the app begins with what the page was made of, and asks for nothing of it', async () => {
  const body = { ...page('One', ''), html: { $html: '\u00020\u0002' } }
  opening({ [keyOf('docs.page', REQUEST)]: { kind: 'ok', data: body } })
  const asked = vi.fn<Ask>()
  const ask = answering(await readAnswers(Object.keys(FILES)), asked)
  expect(await ask('site.shell', null)).toEqual({ kind: 'ok', data: shell })
  expect(await ask('docs.config', { repo: 'acme/atlas' })).toEqual({ kind: 'ok', data: config })
  expect(await ask('docs.page', REQUEST)).toMatchObject({ data: { title: 'One', html: { slot: '0', text: '<p>Here</p>' } } })
  expect(asked).not.toHaveBeenCalled()
})

test('what the page was not made of is asked for', async () => {
  opening({})
  const answer = { kind: 'ok', data: [] } as const
  const asked = vi.fn<Ask>(() => Promise.resolve(answer))
  expect(await answering(await readAnswers([]), asked)('blog.list', null)).toBe(answer)
  expect(asked).toHaveBeenCalledWith('blog.list', null)
})

test('a shared file that is gone is an error that names it', async () => {
  opening({}, 404)
  await expect(readAnswers(Object.keys(FILES))).rejects.toThrow('/_shared/1f/site.shell')
})

// The server's own tests read the same samples: it says beforehand by which key an answer will be looked for.
test.each(keys)('the key of an answer to $id is $key', ({ id, data, key }) => {
  expect(keyOf(id, data)).toBe(key)
})
