// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { CodeNames, CodeSymbol } from '../api/generated'
import { popoverContent } from './popoverContent'

const QUERY: CodeSymbol = {
  name: 'useQuery',
  kind: 'function',
  signature: 'useQuery(options: <b>): Result',
  summary: 'Fetches data.',
  since: '5.28',
  reference: '/query/latest/docs/reference/useQuery',
  options: [
    { name: 'queryKey', type: 'QueryKey', required: true },
    { name: 'cacheTime', type: 'number', summary: 'The former name.', deprecated: true, deprecation: 'Use gcTime.' },
  ],
}
const KEY: CodeSymbol = { name: 'queryKey', kind: 'property', owner: 'QueryOptions', signature: 'queryKey: QueryKey' }

function shown(symbol: CodeSymbol, symbols: CodeSymbol[]): HTMLElement {
  const block: CodeNames = { length: 0, names: [], symbols, missingImports: [] }
  const element = document.createElement('div')
  element.append(...popoverContent(symbol, block))
  return element
}

function texts(element: HTMLElement, selector: string): string[] {
  return [...element.querySelectorAll(selector)].map(({ textContent }) => textContent)
}

test('a symbol has its signature as text, its first sentence, facts and reference', () => {
  const element = shown(QUERY, [QUERY])
  expect(texts(element, '#Site-symbol > *')).toEqual([QUERY.signature, 'Fetches data.', 'function · since 5.28'])
  expect(element.querySelector('a')?.getAttribute('href')).toBe(QUERY.reference)
  expect(texts(element, 'a, h2')).toEqual(['Reference of useQuery', 'Options of useQuery'])
  expect(texts(element, 'li')).toEqual(['queryKey: QueryKey', 'cacheTime?: numberThe former name.Deprecated: Use gcTime.'])
})

test('options that the block uses are not listed again', () => {
  const element = shown(QUERY, [QUERY, KEY])
  expect(texts(element, 'h2, li strong')).toEqual(['More options of useQuery', 'cacheTime', 'Deprecated'])
})

test('a symbol without a page, sentence or options has none of them', () => {
  const element = shown({ ...KEY, deprecated: true }, [KEY])
  expect(texts(element, '#Site-symbol > *')).toEqual(['queryKey: QueryKey', 'Deprecated', 'property of QueryOptions'])
  expect(element.childElementCount).toBe(1)
})
