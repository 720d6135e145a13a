// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import type { CodeNames } from '../api/generated'
import { focusableNames, nameOf, wrapNames } from './wrapNames'

const CODE = '🎉 const { data } = useQuery(options)'
const HTML =
  '🎉 <span class="k">const</span> { da<mark>ta</mark> } = ' +
  '<span class="f"><a class="symbol" href="/useQuery">useQuery</a></span>(options)'
const BLOCK: CodeNames = {
  length: CODE.length,
  names: ['data', 'useQuery', 'options'].map((name, symbol) => ({ start: CODE.indexOf(name), length: name.length, symbol })),
  symbols: ['data', 'useQuery', 'options'].map((name) => ({ name, kind: 'const', signature: `${name}: unknown` })),
  missingImports: [],
}

function code(html = HTML): HTMLElement {
  document.body.innerHTML = `<figure class="code"><pre tabindex="0"><code data-names="0">${html}</code></pre></figure>`
  const found = document.querySelector<HTMLElement>('code')
  if (!found) throw new Error('no code')
  return found
}

function names(element: HTMLElement): [string, string | undefined][] {
  return [...element.querySelectorAll('a.symbol, .code-name')].map((one) => [one.textContent, nameOf(one)?.symbol.name])
}

beforeEach(() => {
  document.body.innerHTML = ''
})

test('names that are no links become elements, and the text stays the same', () => {
  const element = code()
  wrapNames(element, BLOCK)
  expect(element.textContent).toBe(CODE)
  expect(names(element)).toEqual([
    ['da', 'data'],
    ['ta', 'data'],
    ['useQuery', 'useQuery'],
    ['options', 'options'],
  ])
  // A name of two elements is one button, and the link is a Tab stop already.
  expect(focusableNames(element).map((one) => [one.textContent, one.localName, one.tabIndex])).toEqual([
    ['da', 'span', -1],
    ['useQuery', 'a', 0],
    ['options', 'span', -1],
  ])
})

test('the first name of a block without links is a Tab stop', () => {
  const element = code(CODE)
  wrapNames(element, BLOCK)
  expect(focusableNames(element).map((one) => one.tabIndex)).toEqual([0, -1, -1])
})

test('names of other code are left', () => {
  const element = code()
  wrapNames(element, { ...BLOCK, length: CODE.length + 1 })
  expect(names(element)).toEqual([['useQuery', undefined]])
})
