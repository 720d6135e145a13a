import { expect, test } from 'vitest'
import { TextDecoder, TextEncoder } from './text'

const TEXTS = ['', 'plain', 'žluťoučký €', '日本語', '👩‍🚀 up', 'x'.repeat(20_000), '\u0000\u0002', '\ud800 alone', 'end \udc00']

test.each(TEXTS)('%j becomes the bytes that a browser makes of it', (text) => {
  expect([...new TextEncoder().encode(text)]).toEqual([...new globalThis.TextEncoder().encode(text)])
})

test.each(TEXTS)('%j comes back from its bytes, whole or in pieces', (text) => {
  const bytes = new globalThis.TextEncoder().encode(text)
  const expected = new globalThis.TextDecoder().decode(bytes)
  expect(new TextDecoder().decode(bytes)).toBe(expected)
  const decoder = new TextDecoder()
  let pieces = ''
  for (let at = 0; at < bytes.length; at += 3) pieces += decoder.decode(bytes.slice(at, at + 3), { stream: true })
  expect(pieces + decoder.decode()).toBe(expected)
})

test('a letter that does not fit is left for the next buffer', () => {
  const bytes = new Uint8Array(4)
  expect(new TextEncoder().encodeInto('ab€', bytes)).toEqual({ read: 2, written: 2 })
})
