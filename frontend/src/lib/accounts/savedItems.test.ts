// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import type { ExchangeAnswer } from '../../api/generated'
import type { BootApi } from '../bootApi'
import type { CallExchange } from './savedItems'
import { exchangeItems, forgetAccount, isExchangeDue, removeItem, savedItem, savedItems, saveItem } from './savedItems'

let stored: Record<string, string> = {}

beforeEach(() => {
  stored = {}
  const api: Pick<BootApi, 'read' | 'write'> = {
    read: (key) => stored[key],
    write: (key, value) => void (stored[key] = value),
  }
  window.__kinfolk = api as BootApi
  document.cookie = 'signed-in=; max-age=0'
})

const NOTE = { text: 'Read again', title: 'Overview', heading: 'Motivation', digest: 'abc' }

function answer(items: ExchangeAnswer['exchange']['items'] = [], more: Partial<ExchangeAnswer['exchange']> = {}): ExchangeAnswer {
  return { owner: 'ada', exchange: { revision: 1, complete: false, items, dropped: [], ...more } }
}

function itemOfServer(key: string, value: object | null, changedMs: number) {
  return { kind: 'note' as const, key, value: value && JSON.stringify(value), changedMs, slug: null }
}

test('saved items are read newest first', () => {
  saveItem('note', '/a', NOTE, 1)
  saveItem('note', '/b', NOTE, 2)
  expect(savedItems('note').map(({ key }) => key)).toEqual(['/b', '/a'])
})

test('a broken store reads as empty', () => {
  stored['saved:note'] = '{"a":'
  expect(savedItems('note')).toEqual([])
  stored['saved:note'] = '7'
  saveItem('note', '/a', NOTE, 1)
  expect(savedItem('note', '/a')).toEqual(NOTE)
})

test('items of a signed out reader are sent at the first exchange', async () => {
  saveItem('note', '/a', NOTE, 1)
  const call = vi.fn<CallExchange>(async () => answer())
  await exchangeItems(call)
  expect(call).toHaveBeenCalledExactlyOnceWith({
    changes: [{ kind: 'note', key: '/a', value: JSON.stringify(NOTE), changedMs: 1 }],
    since: 0,
    owner: null,
  })
  expect(savedItem('note', '/a')).toEqual(NOTE)
  expect(isExchangeDue(60_000)).toBe(false)
})

test('a complete answer replaces what the server does not have', async () => {
  saveItem('note', '/a', NOTE, 1)
  await exchangeItems(async () => answer())
  await exchangeItems(async () => answer([itemOfServer('/b', NOTE, 5)], { complete: true, revision: 9 }))
  expect(savedItems('note').map(({ key }) => key)).toEqual(['/b'])
})

test('a change during the exchange is sent with the next one', async () => {
  saveItem('note', '/a', NOTE, 1)
  const sent: number[] = []
  await exchangeItems(async ({ changes }) => {
    sent.push(...changes.map(({ changedMs }) => changedMs))
    if (sent.length === 1) saveItem('note', '/a', { ...NOTE, text: 'Changed' }, 2)
    return answer([itemOfServer('/a', NOTE, 1)])
  })
  await exchangeItems(async ({ changes }) => {
    sent.push(...changes.map(({ changedMs }) => changedMs))
    return answer()
  })
  expect(sent).toContain(2)
  expect(savedItem('note', '/a')?.text).toBe('Changed')
})

test('a deletion reaches the server and comes from it', async () => {
  saveItem('note', '/a', NOTE, 1)
  await exchangeItems(async () => answer())
  removeItem('note', '/a', 2)
  expect(savedItems('note')).toEqual([])
  const call = vi.fn<CallExchange>(async () => answer())
  await exchangeItems(call)
  expect(call.mock.calls[0]?.[0].changes).toEqual([{ kind: 'note', key: '/a', value: null, changedMs: 2 }])
  await exchangeItems(async () => answer([itemOfServer('/b', NOTE, 3)]))
  await exchangeItems(async () => answer([itemOfServer('/b', null, 4)]))
  expect(savedItems('note')).toEqual([])
})

test('items of another account are not kept', async () => {
  saveItem('note', '/a', NOTE, 1)
  await exchangeItems(async () => answer())
  saveItem('note', '/pending', NOTE, 2)
  await exchangeItems(async ({ owner }) => {
    expect(owner).toBe('ada')
    return { owner: 'grace', exchange: answer([itemOfServer('/g', NOTE, 1)], { complete: true }).exchange }
  })
  expect(savedItems('note').map(({ key }) => key)).toEqual(['/g'])
})

test('items of an account are removed after its sign-out, those of a signed out reader stay', async () => {
  saveItem('note', '/a', NOTE, 1)
  forgetAccount()
  expect(savedItems('note')).toHaveLength(1)
  await exchangeItems(async () => answer())
  document.cookie = 'signed-in=1'
  forgetAccount()
  expect(savedItems('note')).toHaveLength(1)
  document.cookie = 'signed-in=; max-age=0'
  forgetAccount()
  expect(savedItems('note')).toEqual([])
})

test('a failed exchange keeps the changes', async () => {
  saveItem('note', '/a', NOTE, 1)
  await expect(exchangeItems(() => Promise.reject(new Error('offline')))).rejects.toThrow('offline')
  expect(isExchangeDue(60_000)).toBe(true)
  expect(savedItem('note', '/a')).toEqual(NOTE)
})

test('what the server drops stays here and is not sent for ever', async () => {
  saveItem('note', '/a', NOTE, 1)
  const call = vi.fn<CallExchange>(async () => answer([], { dropped: ['/a'] }))
  await exchangeItems(call)
  expect(call).toHaveBeenCalledTimes(1)
  expect(savedItem('note', '/a')).toEqual(NOTE)
})

test('many changes are sent in parts', async () => {
  for (let index = 0; index < 450; index += 1) saveItem('note', `/${index}`, NOTE, index + 1)
  const sizes: number[] = []
  await exchangeItems(async ({ changes }) => {
    sizes.push(changes.length)
    return answer()
  })
  expect(sizes).toEqual([200, 200, 50])
})

test('only the newest pages to continue are stored', () => {
  for (let index = 0; index < 205; index += 1) {
    saveItem('reading', `/${index}`, { title: 'T', library: 'query', digest: '', heading: '', progress: 10 }, index + 1)
  }
  expect(savedItems('reading')).toHaveLength(200)
  expect(savedItem('reading', '/0')).toBeUndefined()
})
