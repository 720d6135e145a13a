import { beforeAll, expect, test } from 'vitest'
import { init } from './entry.server'
import { html, ok } from '../tests/renderPage'
import { config, page } from '../tests/samples'

beforeAll(() => init(JSON.stringify({ boot: '/assets/boot.js', css: '/assets/site.css', styles: {} })))

const line = 'Deprecated. Use two instead.'
const struck = `<s title="${line}">`

test('menu and outline strike what is deprecated, and say what replaces it', async () => {
  const shown = page('One', '')
  const [first, second] = shown.headings
  const answers = {
    'docs.page': () => ok({ ...shown, headings: [{ ...first, deprecated: line }, second] }),
    'docs.config': () => ok({ ...config, deprecated: { overview: line } }),
  }
  const document = await html('/atlas/latest/docs/overview', answers)
  expect(document).toContain(`<li data-level="2"><a href="#one">${struck}One</s><span class="sr-only"> (deprecated)</span></a></li>`)
  expect(document).toContain(`<span>${struck}Overview</s><span class="sr-only"> (deprecated)</span></span>`)
  expect(document.match(/<s title/g)).toHaveLength(2)
})

test('other pages have no such marks', async () => {
  expect(await html('/atlas/latest/docs/overview', { 'docs.page': () => ok(page('One', '')) })).not.toMatch(/<s\b|deprecated/)
})

test('results strike deprecated sections and pages', async () => {
  const found = (to: string, marks: object) => ({
    to,
    title: [{ text: 'Keys', found: true }],
    trail: ['Old'],
    text: [],
    library: 'atlas',
    kind: 'guide',
    answer: null,
    ...marks,
  })
  const view = { total: 2, pages: 1, others: [], libraries: [], frameworks: [] }
  const answers = { 'search.results': () => ok({ ...view, found: [found('/atlas/a', { deprecated: line }), found('/atlas/b', { deprecatedPage: line })] }) }
  const document = await html('/search?q=keys', answers)
  expect(document).toContain(`<strong><mark>Keys</mark></strong><span class="search-result-trail"><span>${struck}Old</s>`)
  expect(document).toContain(`<strong>${struck}<mark>Keys</mark></s>`)
  expect(document.match(new RegExp(`<small>${line}</small>`, 'g'))).toHaveLength(2)
})
