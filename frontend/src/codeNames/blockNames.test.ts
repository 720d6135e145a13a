// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearPage, openPage } from '../../tests/emptyPage'
import type { CodeNames } from '../api/generated'
import { blockOf, prepareBlock } from './blockNames'

const IMPORT = "import { useQuery } from 'react-query'"
const NAMES: CodeNames = {
  length: 10,
  names: [{ start: 0, length: 8, symbol: 0 }],
  symbols: [{ name: 'useQuery', kind: 'function', signature: 'useQuery(): void' }],
  missingImports: [IMPORT],
}
const requests: string[] = []
let answer: () => Promise<Response>

/** The code block with a number on a page. */
function open(path: string, number: number): HTMLElement {
  history.replaceState(null, '', path)
  document.body.innerHTML =
    '<figure class="code"><pre><code>npm i</code></pre></figure>' +
    `<figure class="code"><pre><code data-names="${number}">useQuery()</code></pre><button class="copy">Copy</button></figure>`
  const code = blockOf(document.querySelector('button'))
  if (!code) throw new Error('no code block with known names')
  return code
}

beforeEach(() => {
  openPage()
  requests.length = 0
  answer = async () => Response.json({ kind: 'ok', data: NAMES })
  vi.stubGlobal('fetch', async (url: string) => {
    requests.push(url)
    return answer()
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  clearPage()
})

test('only blocks with known names are blocks', () => {
  open('/query/latest/docs/overview', 1)
  expect([...document.querySelectorAll('code')].map((code) => blockOf(code)?.textContent)).toEqual([undefined, 'useQuery()'])
})

test('names are requested once, and a block without its imports has a button that copies them', async () => {
  const code = open('/query/latest/docs/guides/a%20b', 3)
  await Promise.all([prepareBlock(code), prepareBlock(code)])
  await prepareBlock(code)
  expect(requests.map((url) => JSON.parse(new URL(url, 'http://x').searchParams.get('payload') ?? '').data)).toEqual([
    { library: 'query', version: 'latest', path: 'guides/a b', block: 3 },
  ])
  expect(code.querySelector('[role=button]')?.textContent).toBe('useQuery')
  expect([...document.querySelectorAll<HTMLElement>('.copy-imports')].map(({ dataset }) => dataset.text)).toEqual([`${IMPORT}\n\nuseQuery()`])
})

test('a preview of a pull request is a version', async () => {
  await prepareBlock(open('/pr/query/12/docs/overview', 0))
  expect(decodeURIComponent(requests[0] ?? '')).toContain('"version":"pr-12","path":"overview"')
})

test('a request that fails is made again, and the block stays as it is', async () => {
  const code = open('/query/latest/docs/failing', 0)
  answer = async () => new Response('', { status: 503 })
  await prepareBlock(code)
  answer = () => Promise.reject(new TypeError('offline'))
  await prepareBlock(code)
  expect([requests.length, code.innerHTML]).toEqual([2, 'useQuery()'])
  answer = async () => new Response('', { status: 404 })
  await prepareBlock(code)
  await prepareBlock(code)
  expect(requests.length).toBe(3)
})

test('pages of an export request the files that it writes', async () => {
  document.documentElement.dataset.static = ''
  await prepareBlock(open('/query/latest/docs/overview/', 2))
  // tests/unit/cli/export/test_answer_files.py has the same address.
  expect(requests).toEqual(['/_data/docs.names/62fbf8b28e93ed7c.json'])
})
