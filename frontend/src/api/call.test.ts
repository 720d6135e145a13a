import { isNotFound, isRedirect } from '@tanstack/react-router'
import { expect, test, vi } from 'vitest'
import { page } from '../../tests/samples'
import type { Envelope } from './call'
import { callOverHttp, loader, ServerError } from './call'
import { Html } from './html'

const load = loader(callOverHttp)
const REQUEST = { repo: 'acme/atlas', branch: 'main', filePath: 'docs/overview.md' }

/** Stubs the next response. Returns the requests. */
function answering(body: string, init: ResponseInit = { headers: { 'content-type': 'application/json' } }) {
  const fetched = vi.fn<typeof fetch>(() => Promise.resolve(new Response(body, init)))
  vi.stubGlobal('fetch', fetched)
  return fetched
}

function envelope(answer: Envelope, status = 200) {
  return answering(JSON.stringify(answer), { status, headers: { 'content-type': 'application/json' } })
}

async function thrownBy(calling: Promise<unknown>): Promise<unknown> {
  return calling.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )
}

test('a GET function has its data and context in the URL', async () => {
  const fetched = envelope({ kind: 'ok', data: [] })
  await load('blog.post', { path: 'a b' })
  expect(fetched).toHaveBeenCalledWith(
    `/_server/blog.post?createServerFn&payload=${encodeURIComponent('{"data":{"path":"a b"},"context":{}}')}`,
  )
})

test('a POST function has its data as JSON', async () => {
  const fetched = envelope({ kind: 'ok', data: null })
  await load('theme.set', { mode: 'dark' })
  expect(fetched).toHaveBeenCalledWith('/_server/theme.set?createServerFn', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"data":{"mode":"dark"},"context":{}}',
  })
})

test('a form is posted with the context added', async () => {
  const fetched = envelope({ kind: 'ok', data: null })
  const form = new FormData()
  form.set('mode', 'dark')
  await callOverHttp('theme.set', form)
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', headers: {}, body: form })
  expect(form.get('context')).toBe('{}')
})

test('HTML in an answer is parsed as Html', async () => {
  envelope({ kind: 'ok', data: { ...page('One', ''), html: { $html: '<p>Hello</p>' } } })
  expect((await load('docs.page', REQUEST)).html).toEqual(new Html('<p>Hello</p>'))
})

test('a redirect and a missing page are thrown as the router expects them', async () => {
  envelope({ kind: 'redirect', to: '/elsewhere', status: 308 })
  const moved = await thrownBy(load('docs.page', REQUEST))
  expect(isRedirect(moved) && moved.options).toMatchObject({ href: '/elsewhere', statusCode: 308 })
  envelope({ kind: 'not_found', message: 'No such page' }, 404)
  const missing = await thrownBy(load('docs.page', REQUEST))
  expect(isNotFound(missing) && missing.data).toEqual({ message: 'No such page' })
})

test('an error is thrown with its code and message', async () => {
  envelope({ kind: 'error', code: 'invalid', message: 'Invalid branch' }, 400)
  expect(await thrownBy(load('docs.page', REQUEST))).toEqual(new ServerError('invalid', 'Invalid branch'))
})

test('an error has the id of its request, by which the log of the server is searched', async () => {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'a1b2c3d4' }
  answering('{"kind":"error","code":"internal","message":"Something went wrong"}', { status: 500, headers })
  expect(await thrownBy(load('docs.page', REQUEST))).toMatchObject({ requestId: 'a1b2c3d4' })
})

test('a response that is not JSON is returned as it is', async () => {
  answering('text', { headers: { 'content-type': 'text/plain' } })
  expect(await callOverHttp('repo.file', null)).toEqual({ kind: 'ok', data: expect.any(Response) })
})

test('an error response is thrown: JSON decoded, other content as an error with its text', async () => {
  answering('{"why":"busy"}', { status: 503, headers: { 'content-type': 'application/json' } })
  expect(await thrownBy(load('blog.list', null))).toEqual({ why: 'busy' })
  answering('Bad gateway', { status: 502 })
  expect(await thrownBy(load('blog.list', null))).toEqual(new Error('Bad gateway'))
})

test('an unreachable server is a network error', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await thrownBy(load('blog.list', null))).toEqual(
    new ServerError('network', 'The server could not be reached.'),
  )
})
