import { expect, test } from 'vitest'
import { applyPatch, encodeTopics, retryDelay, topicKey } from './topics'

const STATE = { topic: 'figures.family', v: '1', data: { stars: 1, old: true, 'a/b': 'x' }, asOf: 'then' }

test('a key has its arguments in order', () => {
  expect(topicKey({ name: 'docs.page', args: { version: 'latest', library: 'query', path: 'a/b' } })).toBe(
    'docs.page?library=query&path=a/b&version=latest',
  )
  expect(topicKey({ name: 'docs.page', args: { path: 'a&b=c#100%?$' } })).toBe('docs.page?path=a%26b%3Dc#100%25?$')
  expect(topicKey({ name: 'figures.family', args: {} })).toBe('figures.family')
})

test('topics are encoded for an address', () => {
  const encoded = encodeTopics([{ name: 'docs.page', args: { path: '~?>größe 缓存' } }])
  expect(encoded).toMatch(/^[\w-]+$/)
  expect(JSON.parse(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')))).toEqual([{ name: 'docs.page', args: { path: '~?>größe 缓存' } }])
})

test('a patch changes, adds and removes members', () => {
  const ops = [
    { op: 'replace' as const, path: '/stars', value: 2 },
    { op: 'add' as const, path: '/new', value: null },
    { op: 'remove' as const, path: '/old' },
    { op: 'replace' as const, path: '/a~1b', value: 'y' },
  ]
  expect(applyPatch(STATE, { topic: STATE.topic, v: '2', base: '1', asOf: 'now', ops })).toEqual({
    topic: STATE.topic,
    v: '2',
    data: { stars: 2, new: null, 'a/b': 'y' },
    asOf: 'now',
  })
})

test('a patch of another state is not applied', () => {
  const patch = { topic: STATE.topic, v: '3', base: '2', asOf: 'now', ops: [] }
  expect(applyPatch(STATE, patch)).toBeUndefined()
  expect(applyPatch(undefined, patch)).toBeUndefined()
})

test('attempts are spread over 1 to 30 seconds', () => {
  expect(retryDelay(1, 0)).toBe(1000)
  expect(retryDelay(1, 1)).toBe(2000)
  expect(retryDelay(20, 0)).toBe(15_000)
  expect(retryDelay(20, 1)).toBe(30_000)
})
