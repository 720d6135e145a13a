import { expect, test, vi } from 'vitest'
import { findHashTarget, revealTarget } from './hashTarget'

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

test('a target in nested details opens them before the scroll', () => {
  const outer = { open: false, parentElement: { closest: () => null } }
  const inner = { open: false, parentElement: { closest: () => outer } }
  const scrollIntoView = vi.fn<() => void>(() => expect([inner.open, outer.open]).toEqual([true, true]))
  revealTarget({ closest: () => inner, scrollIntoView } as unknown as HTMLElement)
  expect(scrollIntoView).toHaveBeenCalledOnce()
})
