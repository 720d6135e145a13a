// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { FailedSearch } from '../../lib/search/search'
import { RECENT } from '../../lib/search/search'
import { render, storage } from '../../../tests/render'
import { createSearchClient } from './searchClient'
import { SearchDialog } from './SearchDialog'

vi.mock('./searchClient', () => ({ createSearchClient: vi.fn<typeof createSearchClient>(), sendClick: vi.fn<() => void>() }))

const CONFIG = { appId: 'app', apiKey: 'key', index: 'acme', hosts: [], examples: ['cache'] }
const PAGES = ['Caching', 'Cache keys']

function hit(title: string, at: number) {
  return {
    objectID: `${at}`,
    url: `/atlas/latest/docs/${at}`,
    library: 'atlas',
    version: ['latest'],
    framework: [],
    kind: 'page',
    hierarchy: { lvl0: 'Atlas', lvl1: title },
    _highlightResult: { hierarchy: { lvl1: { value: title, matchLevel: 'none', matchedWords: [] } } },
    _snippetResult: { content: { value: 'Text', matchLevel: 'none' } },
  }
}

interface SearchParameters {
  params?: { query?: string; page?: number }
}

/** Finds the sample pages for `cache` and nothing for other text. */
async function search(requests: SearchParameters[]) {
  const results = requests.map(({ params: { query = '', page = 0 } = {} }) => {
    const hits = query === 'cache' ? PAGES.map(hit) : []
    const facets = { library: { atlas: hits.length }, framework: {} }
    return { hits, query, page, params: '', nbHits: hits.length, nbPages: 1, hitsPerPage: 20, processingTimeMS: 1, facets, index: 'acme' }
  })
  return { results }
}

const answers = vi.fn<typeof search>()
let fail: (failure: FailedSearch | null) => void

beforeEach(() => {
  answers.mockImplementation(search)
  vi.mocked(createSearchClient).mockImplementation((_, onFailure) => {
    fail = onFailure
    // Only `search` is called by the widgets.
    return { search: answers } as unknown as ReturnType<typeof createSearchClient>
  })
  // Not implemented by the test environment.
  Element.prototype.scrollIntoView = () => undefined
})

async function open() {
  const user = userEvent.setup()
  await render(<SearchDialog config={CONFIG} openCount={1} />)
  return { user, box: screen.getByRole('combobox', { name: 'Search' }) }
}

test('the dialog opens with the focus in the box', async () => {
  const { box } = await open()
  expect(screen.getByRole('dialog', { name: 'Search' }).hasAttribute('open')).toBe(true)
  expect(document.activeElement).toBe(box)
  expect(screen.getByRole('heading', { name: 'Search the product' })).toBeTruthy()
})

test('text shows results, of which the first is selected', async () => {
  const { user, box } = await open()
  await user.type(box, 'cache')
  expect(await screen.findAllByRole('option')).toHaveLength(2)
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Caching')
  expect(screen.getByText('2 results')).toBeTruthy()
})

test('arrow keys move the selection and start again after the last result', async () => {
  const { user, box } = await open()
  await user.type(box, 'cache')
  await screen.findAllByRole('option')
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Cache keys')
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Caching')
})

test('a result that is followed closes the dialog and becomes a recent page', async () => {
  const { user, box } = await open()
  await user.type(box, 'cache')
  fireEvent.click((await screen.findAllByRole('option'))[0] ?? box)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(storage.get(RECENT)).toContain('/atlas/latest/docs/0')
})

test('text that nothing matches says so and leads to the docs', async () => {
  const { user, box } = await open()
  await user.type(box, 'zzz')
  expect(await screen.findByRole('heading', { name: 'No results found' })).toBeTruthy()
  expect(screen.getByText('Nothing matches “zzz”. Check the spelling.')).toBeTruthy()
  expect(screen.getByRole('list', { name: 'Start here' })).toBeTruthy()
})

test('"Clear" empties the box and keeps the focus in it', async () => {
  const { user, box } = await open()
  await user.type(box, 'cache')
  await user.click(await screen.findByRole('button', { name: 'Clear' }))
  expect(box).toHaveProperty('value', '')
  expect(document.activeElement).toBe(box)
})

test('a filter is pressed by a click and removed by Backspace in the empty box', async () => {
  const { user, box } = await open()
  await user.type(box, 'cache')
  await screen.findByText('2 results')
  fireEvent.click(screen.getByRole('button', { name: 'Atlas 2' }))
  await waitFor(() => expect(screen.getByRole('button', { name: /^Atlas/ }).getAttribute('aria-pressed')).toBe('true'))
  await user.clear(box)
  await user.type(box, '{Backspace}')
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Atlas/, pressed: true })).toBeNull())
})

test('an example fills the box and is searched for', async () => {
  const { user, box } = await open()
  await user.click(screen.getByRole('button', { name: '“cache”' }))
  expect(await screen.findAllByRole('option')).toHaveLength(2)
  expect(box).toHaveProperty('value', 'cache')
  expect(document.activeElement).toBe(box)
})

test('a late answer is announced, and placeholders take the place of results and counts', async () => {
  const { user, box } = await open()
  const held: (() => void)[] = []
  vi.mocked(answers).mockImplementation(async (requests) => {
    await new Promise<void>((resolve) => {
      held.push(resolve)
    })
    return search(requests)
  })
  await user.type(box, 'cache')
  expect(await screen.findByText('Searching…')).toBeTruthy()
  expect(document.querySelectorAll('.search-skeleton-row')).toHaveLength(3)
  expect(screen.queryByRole('button', { name: /0$/ })).toBeNull()
  held.at(-1)?.()
  expect(await screen.findByText('2 results')).toBeTruthy()
  expect(document.querySelector('.search-skeleton')).toBeNull()
})

test('a failed search says what to do and is repeated by the button', async () => {
  const { user, box } = await open()
  vi.mocked(answers).mockImplementation(async (requests) => {
    fail({ reached: false, message: 'Check your connection.' })
    return search(requests.map(() => ({})))
  })
  await user.type(box, 'c')
  expect((await screen.findByRole('alert')).textContent).toBe('Search is unreachableCheck your connection.Try again')
  vi.mocked(answers).mockImplementation(async (requests) => {
    fail(null)
    return search(requests)
  })
  await user.type(box, 'ache')
  await user.click(screen.queryByRole('button', { name: 'Try again' }) ?? box)
  expect(await screen.findAllByRole('option')).toHaveLength(2)
  expect(screen.queryByRole('alert')).toBeNull()
})
