import { beforeAll, expect, test, vi } from 'vitest'
import type { Outcome } from './entry.server'
import { forget, init, render, start, take } from './entry.server'
import type { Answer } from '../tests/renderPage'
import { renderWithSamples, html, ok } from '../tests/renderPage'
import { chart } from '../tests/comparisonSamples'
import { config, example, page, post, shell } from '../tests/samples'

beforeAll(() => {
  const files = { boot: '/assets/boot.js', css: '/assets/site.css' }
  init(JSON.stringify({ ...files, styles: { blog: '/assets/blog.css' } }))
})

test('a docs page queries the shell, then the menu and the page in one round', async () => {
  const { outcome, rounds } = await renderWithSamples('/atlas/latest/docs/overview')
  expect(rounds).toEqual([['site.shell'], ['docs.config', 'docs.page']])
  expect(outcome).toMatchObject({ type: 'html', status: 200 })
})

test('a docs page contains its title, description, canonical URL and files', async () => {
  const document = await html('/atlas/v1/docs/framework/react/install')
  expect(document).toMatch(/^<!DOCTYPE html><html/)
  expect(document).toContain('<title>docs/framework/react/install.md | Acme Atlas v1 React Docs</title>')
  expect(document).toContain('content="About docs/framework/react/install.md"')
  expect(document).toContain('<link rel="canonical" href="https://acme.example/atlas/latest/docs/overview"/>')
  expect(document).toContain('data-boot="/assets/boot.js"')
  expect(document).toContain('<link rel="stylesheet" href="/assets/site.css" data-precedence="site"/>')
})

test.each([
  ['/atlas/v1/docs/overview', '/atlas/latest/docs/overview', false],
  ['/atlas/v1/docs/overview', '/atlas/v1/docs/overview', true],
  ['/atlas/latest/docs/overview', '/atlas/latest/docs/overview', true],
])('%s with the canonical path %s is indexed: %s', async (address, canonical, isIndexed) => {
  const document = await html(address, { 'docs.page': () => ok({ ...page('One', ''), canonical }) })
  expect(document.includes('<meta name="robots" content="noindex"/>')).toBe(!isIndexed)
})

test('a docs page shows its last change and the author', async () => {
  const edited = { ...page('One', ''), updated: '2025-03-18T09:00:00Z', contributors: ['Ann', 'Ben'] }
  const document = await html('/atlas/latest/docs/overview', { 'docs.page': () => ok(edited) })
  expect(document).toContain('<time dateTime="2025-03-18T09:00:00Z">Mar 18, 2025</time> by Ann and Ben')
})

test('the placeholder of the HTML is in the page once', async () => {
  const document = await html('/atlas/latest/docs/overview')
  expect(document.split('\u00020\u0002')).toHaveLength(2)
  expect(document).toContain('data-html="0"')
})

test('HTML without a placeholder is rendered as it is', async () => {
  const document = await html('/atlas/latest/docs/overview', { 'docs.page': () => ok(page('One', '<p>Hello</p>')) })
  expect(document).toContain('<p>Hello</p>')
})

test('a page has room for its own answers and links the files with shared ones', async () => {
  const site = 'site.shell\nnull'
  const list = 'blog.list\nnull'
  const prefetched = { [list]: JSON.stringify(ok([post])) }
  const shared = { [site]: '/_shared/1/site.shell' }
  start(JSON.stringify({ url: '/blog', prefetched, shared, held: { '/_shared/1/site.shell': JSON.stringify(ok(shell)) } }))
  const outcome: Outcome = await vi.waitUntil(() => JSON.parse(take() ?? 'null'))
  const document = outcome.type === 'html' ? outcome.html : ''
  expect(document).toContain('data-shared="/_shared/1/site.shell"')
  expect(document).toContain('<script type="application/json" id="Site-answers"></script>')
  // The isolate holds the shared answer.
  start(JSON.stringify({ url: '/blog', prefetched, shared }))
  const again: Outcome = await vi.waitUntil(() => JSON.parse(take() ?? 'null'))
  expect(again).toMatchObject({ type: 'html', status: 200 })
  forget()
  expect(() => start(JSON.stringify({ url: '/blog', prefetched, shared }))).toThrow('No answer with the address')
})

test('concurrent renders of the same input give the same page', async () => {
  // The bundle for V8 has no clock; here there is one.
  vi.spyOn(Date, 'now').mockReturnValue(0)
  expect(await html('/atlas/latest/docs/overview')).toBe(await html('/atlas/latest/docs/overview'))
})

test('a picture of a chart is drawn at once', () => {
  start(JSON.stringify({ picture: { chart, theme: 'auto', size: 'full' } }))
  expect(JSON.parse(take() ?? 'null')).toMatchObject({ type: 'picture', svg: expect.stringMatching(/^<svg .*<\/svg>$/) })
})

test('a picture that cannot be drawn is an error', () => {
  start(JSON.stringify({ picture: { theme: 'auto', size: 'full' } }))
  expect(JSON.parse(take() ?? 'null')).toMatchObject({ type: 'error' })
})

test('an outcome reports prefetched data that no loader queried', async () => {
  const prefetched = { 'site.shell\nnull': ok(shell), 'docs.config\n{"repo":"acme/other"}': ok(config) }
  const outcome = await render({ url: '/atlas/latest/nothing', prefetched })
  expect(outcome).toMatchObject({ type: 'html', status: 404, unused: true })
  expect((await renderWithSamples('/atlas/latest/nothing')).outcome).toMatchObject({ type: 'html', status: 404, unused: false })
})

test('concurrent renders are independent', async () => {
  const titles = Array.from({ length: 20 }, (_, number) => `Number ${number}`)
  const rendered = await Promise.all(
    titles.map((title) => html('/atlas/latest/docs/overview', { 'docs.page': () => ok(page(title, title)) })),
  )
  rendered.forEach((document, number) => {
    expect(document).toContain(`<title>Number ${number} | Acme Atlas Docs</title>`)
    expect(document).toContain(`<h1>Number ${number}</h1>`)
  })
})

test.each([
  ['/atlas', 307, '/atlas/latest'],
  ['/atlas/v9', 307, '/atlas/latest'],
  ['/atlas/v9/docs/framework/react/install?x=1', 307, '/atlas/latest/docs/framework/react/install?x=1'],
  ['/atlas/latest/docs', 307, '/atlas/latest/docs/overview'],
  ['/atlas/latest/docs/framework/vue/a.md', 307, '/api/md/atlas/latest/docs/framework/vue/a'],
  ['/atlas/latest/docs/overview/', 307, '/atlas/latest/docs/overview'],
])('%s answers %i to %s', async (url, status, location) => {
  expect((await renderWithSamples(url)).outcome).toMatchObject({ type: 'redirect', status, location })
})

test('a redirect keeps the status from its function', async () => {
  const moved: Answer = () => ({ kind: 'redirect', to: '/atlas/latest/docs/overview', status: 308 })
  expect((await renderWithSamples('/atlas/latest/docs/old', { 'docs.page': moved })).outcome).toMatchObject({
    type: 'redirect',
    status: 308,
    location: '/atlas/latest/docs/overview',
  })
})

test.each([
  ['/nope', 'The page you are looking for does not exist.'],
  ['/nope/latest/docs', 'Library with id &quot;nope&quot; not found'],
  ['/nope/x/y/z', 'Library with id &quot;nope&quot; not found'],
  ['/atlas/latest/nope', 'The page you are looking for does not exist.'],
  ['/blog/nope', 'Post not found.'],
  ['/atlas/latest/docs/framework/qwik', 'Acme Atlas has no docs for Qwik'],
  ['/atlas/latest/docs/%E0%A4%A', '404 Not Found'],
])('%s is not there, and the page says why', async (url, words) => {
  const missing: Answer = () => ({ kind: 'not_found', message: 'No such page' })
  const { outcome } = await renderWithSamples(url, { 'docs.page': missing })
  expect(outcome).toMatchObject({ type: 'html', status: 404 })
  expect(outcome).toHaveProperty('html', expect.stringContaining(words))
})

test('a missing docs page has the docs menu', async () => {
  const document = await html('/atlas/latest/docs/framework/react/nope', {
    'docs.page': () => ({ kind: 'not_found', message: 'No such page' }),
  })
  expect(document).toContain('404 Not Found')
  expect(document).toContain('href="/atlas/latest/docs/framework/react/install"')
})

test('a missing docs page lists the nearest pages', async () => {
  const { outcome, rounds } = await renderWithSamples('/atlas/latest/docs/framework/react/instal', {
    'docs.page': () => ({ kind: 'not_found', message: 'No such page' }),
    'docs.nearest': () => ok({ nearest: [{ title: 'Install', to: '/atlas/latest/docs/framework/react/install' }], versions: [] }),
  })
  expect(rounds.at(-1)).toEqual(['docs.nearest'])
  expect(outcome).toMatchObject({ status: 404, html: expect.stringContaining('Perhaps you meant') })
})

test('a missing page of an old version links to pages of other versions that exist', async () => {
  const versions = [
    { name: 'latest', to: '/atlas/latest/docs/overview', title: 'Overview' },
    { name: 'v1', to: '/atlas/v1/docs/start', title: 'Start' },
  ]
  const document = await html('/atlas/v1/docs/framework/react/nope', {
    'docs.page': () => ({ kind: 'not_found', message: 'No such page' }),
    'docs.nearest': () => ok({ nearest: [], versions }),
  })
  expect(document).toContain('v2 is current. It does not have this page.')
  expect(document).toMatch(/<a [^>]*href="\/atlas\/latest\/docs\/overview"[^>]*>Read v2<\/a>/)
  expect(document).not.toContain('"/atlas/latest/docs/framework/react/nope"')
})

test('a library that does not exist is answered with similar names, or with all libraries', async () => {
  const near = { 'catalog.nearest': () => ok([{ title: 'Acme Atlas', to: '/atlas/latest' }]) }
  expect(await html('/atals', near)).toMatch(/Library with id &quot;atals&quot; not found.*Perhaps you meant.*href="\/atlas\/latest"/s)
  const none = { 'catalog.nearest': () => ok([]) }
  expect(await html('/nope/latest/docs', none)).toMatch(/All libraries.*href="\/atlas\/latest"/s)
  expect(await html('/nope', none)).not.toContain('Library with id')
})

test('a page shows the notice about the address that its reader came from', async () => {
  const notice = { text: 'You followed a link to v1. This is v2.', lead: '', links: [{ title: 'Read the v1 page', to: '/atlas/v1/docs/overview' }], byFramework: false }
  const { outcome, rounds } = await renderWithSamples('/atlas/latest/docs/overview?from=/atlas/v1/docs/overview', { 'docs.arrival': () => ok(notice) })
  const { html: document } = outcome as { html: string }
  expect(rounds.flat()).toContain('docs.arrival')
  expect(document).toMatch(/data-arrival="\/atlas\/v1\/docs\/overview".*You followed a link to v1. This is v2.*href="\/atlas\/v1\/docs\/overview"/s)
  expect(document).toContain('rel="canonical" href="https://acme.example/atlas/latest/docs/overview"')
  // A notice that cannot be loaded is left out.
  expect(await html('/atlas/latest/docs/overview?from=/atlas/v1/docs/overview')).not.toContain('data-arrival')
})

test('docs of an old version link to the same page of the latest version', async () => {
  const document = await html('/atlas/v1/docs/overview')
  expect(document).toContain('v2 is current.')
  expect(document).toMatch(/<a href="\/atlas\/latest\/docs\/overview" class="button">Read v2<\/a>/)
  expect(await html('/atlas/v2/docs/overview')).not.toContain('v2 is current.')
})

test('a docs page has structured data, its URL and a link to its Markdown', async () => {
  const document = await html('/atlas/latest/docs/overview')
  expect(document).toContain('<meta property="og:image" content="https://acme.example/og/atlas/latest/docs/overview.jpg"/>')
  expect(document).toContain('<link rel="alternate" type="text/markdown" href="/api/md/atlas/latest/docs/overview"/>')
  const things = [...document.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json]) => json)
  expect(things.map((json) => JSON.parse(json ?? '')['@type'])).toEqual(['TechArticle', 'BreadcrumbList'])
})

test('docs pages and landing pages link to the feeds of their changes', async () => {
  const ofPage = '<link rel="alternate" type="application/atom+xml" title="Changes to docs/overview.md" href="/atlas/v1/docs/overview.atom"/>'
  const library = '<link rel="alternate" type="application/atom+xml" title="Changes to the docs of Acme Atlas" href="/atlas/changes.atom"/>'
  const document = await html('/atlas/v1/docs/overview')
  expect(document).toContain(ofPage)
  expect(document).toContain(library)
  expect(await html('/atlas/latest')).toContain(library)
})

test('a framework page has the menu of its framework', async () => {
  const document = await html('/atlas/latest/docs/framework/vue/install')
  expect(document).toContain('href="/atlas/latest/docs/framework/vue/guides/markers"')
  expect(document).not.toContain('href="/atlas/latest/docs/framework/react/guides/markers"')
})

test('an example shows the chosen file, by default its start file', async () => {
  const address = '/atlas/latest/docs/framework/react/examples/basic'
  expect(await html(address)).toContain('the text of src/main.tsx')
  expect(await html(`${address}?path=README.md`)).toContain('the text of README.md')
})

test('menus of an example name the target when it is another example', async () => {
  const versions = [{ name: 'v1', to: '/atlas/v1/docs/framework/react/examples', title: 'React examples' }]
  const frameworks = [{ name: 'vue', to: '/atlas/latest/docs/examples', title: 'All examples' }]
  const document = await html('/atlas/latest/docs/framework/react/examples/basic', {
    'example.files': () => ok({ ...example('basic', ['src/main.tsx']), versions, frameworks }),
  })
  expect(document).toMatch(/href="\/atlas\/v1\/docs\/framework\/react\/examples"[^>]*>.*?opens “React examples”/)
  expect(document).toMatch(/href="\/atlas\/latest\/docs\/examples"[^>]*>.*?opens “All examples”/)
})

test('a missing example links to the list of examples', async () => {
  const document = await html('/atlas/latest/docs/framework/react/examples/gone', {
    'example.files': () => ({ kind: 'not_found', message: 'There is no example gone' }),
  })
  expect(document).toMatch(/404 Not Found.*There is no example gone.*href="\/atlas\/latest\/docs\/examples"/s)
})

test('a framework without docs links to the frameworks with docs', async () => {
  const document = await html('/atlas/latest/docs/framework/nope')
  expect(document).toMatch(/Acme Atlas has no docs for Nope.*href="\/atlas\/latest\/docs\/framework"/s)
})

test('an example queries its menu, files and open file in one round', async () => {
  const { rounds } = await renderWithSamples('/atlas/latest/docs/framework/react/examples/basic')
  expect(rounds).toEqual([['site.shell'], ['docs.config', 'example.files', 'example.file']])
})

test('a missing file of an example is reported beside the file tree', async () => {
  const missing: Answer = () => ({ kind: 'not_found', message: 'There is no file gone.ts' })
  const address = '/atlas/latest/docs/framework/react/examples/basic?path=examples%2Freact%2Fbasic%2Fgone.ts'
  const { outcome } = await renderWithSamples(address, { 'example.file': missing })
  expect(outcome).toMatchObject({ type: 'html', status: 404, html: expect.stringContaining('There is no file gone.ts') })
  expect(outcome).toMatchObject({ html: expect.stringContaining('role="treeitem"') })
})

test.each(['/', '/atlas/latest', '/blog', '/atlas/latest/docs/framework', '/atlas/latest/docs/framework/react'])(
  '%s is a page',
  async (url) => {
    expect((await renderWithSamples(url)).outcome).toMatchObject({ type: 'html', status: 200 })
  },
)
