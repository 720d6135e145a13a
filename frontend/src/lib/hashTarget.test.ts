import { afterEach, expect, test, vi } from 'vitest'
import { findHashTarget } from './hashTarget'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['#setup', 'setup'],
  ['#%C3%BCber', 'über'],
  ['#100%25', '100%'],
  // A name that looks escaped is found as it is written.
  ['#a%20b', 'a%20b'],
  ['#%E0%A4%A', '%E0%A4%A'],
])('%s names the element %s', (hash, id) => {
  const element = { id }
  vi.stubGlobal('document', { getElementById: (name: string) => (name === id ? element : null) })
  expect(findHashTarget(hash)).toBe(element)
})

test.each(['', '#', '#nowhere', '#%E0%A4%A', '#%', '#50%'])('"%s" names nothing, and breaks nothing', (hash) => {
  vi.stubGlobal('document', { getElementById: () => null })
  expect(findHashTarget(hash)).toBeNull()
})
