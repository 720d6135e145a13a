// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { RECENT } from '../../lib/search/search'
import type { SectionHit } from '../../lib/search/searchHit'
import type { SearchRequest } from '../../lib/search/searchRequests'
import type { SearchOutcome } from '../../lib/search/searchStore'
import { render, storage } from '../../../tests/render'
import { createSearchClient, sendClick } from './searchClient'
import { SearchDialog } from './SearchDialog'

vi.mock('./searchClient', () => ({ createSearchClient: vi.fn<typeof createSearchClient>(), sendClick: vi.fn<typeof sendClick>() }))

const CONFIG = { appId: 'app', apiKey: 'key', index: 'acme', hosts: [], examples: ['cache'], ignoredWords: ['how'] }
const PAGES = ['Caching', 'Cache keys']

function hit(title: string, at: number, library = 'atlas', matchedWords: string[] = []): SectionHit {
  return {
    objectID: `${library} ${at}`,
    url: `/${library}/latest/docs/${at}`,
    library,
    version: ['latest'],
    framework: [],
    kind: 'page',
    hierarchy: { lvl0: 'Atlas', lvl1: title },
    _highlightResult: { hierarchy: { lvl1: { value: title, matchedWords } } },
    _snippetResult: { content: { value: 'Text' } },
  }
}

/** Finds the sample pages for `cache …`, a page of another library for `… grid`, and nothing for other text. */
async function search(requests: readonly SearchRequest[]): Promise<SearchOutcome> {
  const results = requests.map(({ query, page, filters }) => {
    const isOther = filters.includes('NOT')
    const own = query.startsWith('cache') && !isOther ? PAGES.map((title, at) => hit(title, at)) : []
    const others = query.endsWith('grid') && isOther ? [hit('Cache grid', 0, 'tools', query.includes('and') ? ['grid'] : query.split(' '))] : []
    const hits = [...own, ...others]
    return { hits, query, page, nbHits: hits.length, nbPages: 1, queryID: isOther ? 'others' : 'own', facets: { library: { atlas: own.length }, framework: {} } }
  })
  return { kind: 'answered', results }
}

const answers = vi.fn<typeof search>()

beforeEach(() => {
  answers.mockImplementation(search)
  vi.mocked(createSearchClient).mockReturnValue({ search: answers })
  vi.mocked(sendClick).mockReset()
  // Not implemented by the test environment.
  Element.prototype.scrollIntoView = () => undefined
})

async function open(path = '/') {
  const user = userEvent.setup()
  history.replaceState(null, '', path)
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
  expect(await screen.findByText('2 results')).toBeTruthy()
})

const ANSWER = {
  text: { value: 'Call __ais-highlight__cache__/ais-highlight__ <once>:' },
  code: { value: 'cache()' },
}

test('the first result shows the sentences and the code that answer, with marked words', async () => {
  const { user, box } = await open()
  vi.mocked(answers).mockImplementation(async (requests) => {
    const outcome = await search(requests)
    const first = outcome.kind === 'answered' ? outcome.results[0]?.hits[0] : undefined
    if (first) first._snippetResult = { answer: ANSWER }
    return outcome
  })
  await user.type(box, 'cache')
  const [first, second] = await screen.findAllByRole('option')
  expect(first?.querySelector('.search-result-answer')?.textContent).toBe('Call cache <once>:')
  expect(first?.querySelector('.search-result-answer mark')?.textContent).toBe('cache')
  expect(first?.querySelector('code')?.textContent).toBe('cache()')
  expect(first?.querySelector('.search-result-snippet')).toBeNull()
  expect(second?.querySelector('.search-result-snippet')?.textContent).toBe('Text')
  expect(second?.querySelector('code')).toBeNull()
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
  expect(vi.mocked(sendClick).mock.lastCall?.[1]).toMatchObject({ position: 1, queryId: 'own' })
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

test('a failed search says what to do, keeps earlier results and is repeated by the button', async () => {
  const { user, box } = await open()
  await user.type(box, 'cache')
  expect(await screen.findAllByRole('option')).toHaveLength(2)
  vi.mocked(answers).mockResolvedValue({ kind: 'failed', failure: { reached: false, message: 'Check your connection.' } })
  await user.type(box, 's')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('Search is unreachableCheck your connection.Try again')
  await user.type(box, 's')
  // The same element: it is announced once, not with each letter.
  expect(screen.getByRole('alert')).toBe(alert)
  expect(screen.getAllByRole('option')).toHaveLength(2)
  expect(alert.compareDocumentPosition(screen.getByRole('listbox'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  vi.mocked(answers).mockImplementation(search)
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(screen.getAllByRole('option')).toHaveLength(2)
})

test('results of other libraries follow in a group of their own', async () => {
  const { user, box } = await open('/atlas/latest/docs/overview')
  await user.type(box, 'cache and grid')
  const group = await screen.findByRole('group', { name: 'In other libraries' })
  const options = screen.getAllByRole('option').map(({ textContent }) => textContent)
  expect(options).toHaveLength(3)
  expect(options[2]).toContain('Cache grid')
  expect(group.textContent).toContain('Cache grid')
  expect(within(screen.getByRole('group', { name: 'In Atlas' })).getAllByRole('option')).toHaveLength(2)
  expect(await screen.findByText('2 results, 1 in other libraries')).toBeTruthy()
  await user.keyboard('{ArrowUp}')
  expect(box.getAttribute('aria-activedescendant')).toBe('Site-search-results-2')
  await user.keyboard('{Enter}')
  expect(vi.mocked(sendClick).mock.lastCall?.[1]).toMatchObject({ position: 1, queryId: 'others' })
})

test('results of other libraries come first where they match clearly better', async () => {
  const { user, box } = await open('/atlas/latest/docs/overview')
  await user.type(box, 'cache grid')
  await screen.findByRole('group', { name: 'In other libraries' })
  await waitFor(() => expect(screen.getByRole('option', { selected: true }).textContent).toContain('Cache grid'))
  expect(screen.getByText('In Atlas')).toBeTruthy()
})

test('without results of its own, a search shows those of other libraries', async () => {
  const { user, box } = await open('/atlas/latest/docs/overview')
  await user.type(box, 'grid')
  expect(await screen.findAllByRole('option')).toHaveLength(1)
  expect(screen.getByText('No results in Atlas.', { exact: false })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Search every library' }))
  await waitFor(() => expect(vi.mocked(answers).mock.lastCall?.[0]).toHaveLength(1))
})

test('a text is announced once, after the last key', async () => {
  const { user, box } = await open('/atlas/latest/docs/overview')
  const heard: string[] = []
  const region = document.querySelector('output')
  if (!region) throw new Error('There is no live region')
  new MutationObserver(() => {
    if (region.textContent) heard.push(region.textContent)
  }).observe(region, { childList: true, characterData: true, subtree: true })
  for (const letter of 'cache and grid') {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await user.type(box, letter)
  }
  await screen.findByText('2 results, 1 in other libraries')
  expect(heard).toEqual(['2 results, 1 in other libraries'])
})

test('Home and End move the cursor in the text, and select it with Shift', async () => {
  const { user, box } = await open()
  await user.type(box, 'cache')
  await screen.findAllByRole('option')
  await user.keyboard('{ArrowDown}')
  for (const key of ['Home', 'End'] as const) {
    for (const shiftKey of [false, true]) {
      // Not prevented: the browser moves the cursor.
      expect(fireEvent.keyDown(box, { key, shiftKey })).toBe(true)
    }
  }
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Cache keys')
})

test.each(['?', '   ', '🎉', '👩‍💻 1️⃣', '…'])('“%s” is not searched for', async (text) => {
  const { user, box } = await open()
  await user.type(box, 'cache')
  await screen.findAllByRole('option')
  answers.mockClear()
  fireEvent.change(box, { target: { value: text } })
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull())
  expect(answers).not.toHaveBeenCalled()
})
