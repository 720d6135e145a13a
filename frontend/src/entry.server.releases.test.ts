import { beforeAll, expect, test } from 'vitest'
import { init } from './entry.server'
import { html, ok, renderWithSamples } from '../tests/renderPage'
import { config, page } from '../tests/samples'

beforeAll(() => init(JSON.stringify({ boot: '/assets/boot.js', css: '/assets/site.css', styles: { 'open-release': '/open-release.css' } })))

const version = { name: '1.4.2', branch: 'v1.4.2', docsRoot: 'docs', defaultDocs: '', label: null, banner: null }
const release = { version, day: '2024-03-15', numbers: [{ framework: 'solid', number: '2.0.0' }] }
const listed = { number: '1.4.2', day: '2024-03-15' }
const list = {
  newest: '1.4.2',
  hasNotes: false,
  majors: [
    { framework: null, major: 2, minors: [{ name: '2.0', releases: [{ number: '2.0.0-rc.1', day: '2024-05-01' }] }] },
    { framework: null, major: 1, minors: [{ name: '1.4', releases: [listed, { number: '1.4.0', day: '2024-01-02' }] }] },
    { framework: 'vue', major: 3, minors: [{ name: '3.0', releases: [{ number: 'vue@3.0.0', day: '2024-02-02' }] }] },
  ],
}

test('a page of a release is read from its tag, and says which release it is of', async () => {
  const answers = { 'releases.find': () => ok(release) }
  const { rounds } = await renderWithSamples('/atlas/1.4.2/docs/overview', answers)
  expect(rounds).toEqual([['site.shell'], ['releases.find'], ['docs.config', 'docs.page']])
  const document = await html('/atlas/1.4.2/docs/overview', answers)
  expect(document).toContain('These are the docs of release 1.4.2 from Mar 15, 2024. v2 is current.')
  expect(document).toContain('<meta name="robots" content="noindex, nofollow"/>')
  expect(document).toContain('| Acme Atlas 1.4.2 Docs</title>')
})

test('pages for a framework name the number that its package has in the release', async () => {
  const answers = { 'releases.find': () => ok(release) }
  const pages = ['solid', 'react'].map((framework) => html(`/atlas/1.4.2/docs/framework/${framework}/overview`, answers))
  const [solid, react] = await Promise.all(pages)
  expect(solid).toContain('These are the docs of release 1.4.2 (Solid: 2.0.0) from Mar 15, 2024.')
  expect(react).toContain('These are the docs of release 1.4.2 from Mar 15, 2024.')
})

test.each(['1.9.9', 'x@1.0.0'])('the unknown release %s leads to the latest version', async (name) => {
  const { outcome } = await renderWithSamples(`/atlas/${name}/docs/overview`, { 'releases.find': () => ok(null) })
  expect(outcome).toMatchObject({ type: 'redirect', location: '/atlas/latest/docs/overview' })
})

test('other unknown versions are not looked for among the releases', async () => {
  const { rounds } = await renderWithSamples('/atlas/next/docs/overview')
  expect(rounds.flat()).not.toContain('releases.find')
})

test('the version menu has a field for releases only if there are any', async () => {
  const docs = { 'docs.page': () => ok(page('One', '')) }
  expect(await html('/atlas/latest/docs/overview', docs)).not.toMatch(/action="\/atlas\/releases"|open-release/)
  const document = await html('/atlas/latest/docs/overview', { ...docs, 'docs.config': () => ok({ ...config, release: '1.4.2' }) })
  expect(document).toContain('action="/atlas/releases"')
  expect(document).toContain('placeholder="Release, as 1.4.2"')
  expect(document).toContain('<input type="hidden" name="page" value="overview"/>')
  expect(document).toContain('/open-release.css')
})

test('the list has the releases of each major version, that of the newest is open', async () => {
  const document = await html('/atlas/releases', { 'releases.list': () => ok(list) })
  expect(document).toContain('4 releases with docs. ')
  expect(document).toContain('title="Changes to the docs of Acme Atlas by release" href="/atlas/release-changes.atom"/>')
  expect(document).toContain('<small>1 release</small>')
  expect(document.match(/<summary><h2>[^<]+<\/h2>/g)?.map((one) => one.slice(9))).toEqual(['<h2>Version 2</h2>', '<h2>Version 1</h2>', '<h2>Vue only, version 3</h2>'])
  expect(document.match(/<details class="releases-major"( open="")?/g)).toHaveLength(3)
  expect(document.match(/<details class="releases-major" open=""><summary><h2>Version 1/g)).toHaveLength(1)
  expect(document).toContain('<a href="/atlas/1.4.2/docs" rel="nofollow" title="Mar 15, 2024">1.4.2</a>')
  expect(document).toContain('Jan 2, 2024 to Mar 15, 2024')
  expect(document).not.toContain('role="alert"')
})

test('a release that does not exist is named as missing, without what the reader wrote', async () => {
  const document = await html('/atlas/releases?release=%3Cscript%3E', { 'releases.list': () => ok(list) })
  expect(document).toMatch(/<p role="alert"[^>]*>Acme Atlas<!-- --> has no such release with docs/)
  expect(document).not.toContain('name="release" value')
})

test('a library without releases has no list of them', async () => {
  const { outcome } = await renderWithSamples('/atlas/releases', { 'releases.list': () => ok({ newest: null, majors: [] }) })
  expect(outcome).toMatchObject({ type: 'html', status: 404 })
})

const compared = (title: string, path: string, before: string | null = null) => ({ title, path, before })

test('changes between two releases are listed by kind', async () => {
  const docs = { added: [], changed: [compared('<b>One</b>', 'one')], moved: [compared('Two', 'new/two', 'two')], removed: [] }
  const changes = { olderDay: '2024-01-02', newerDay: '2024-03-15', docs }
  const document = await html('/atlas/changes/1.4.0...1.4.2', { 'releases.changes': () => ok(changes) })
  expect(document).toContain('<h1>Changes from 1.4.0 to 1.4.2</h1>')
  expect(document.match(/<h2>[^<]+/g)).toEqual(['<h2>Changed pages', '<h2>Moved pages'])
  expect(document).toContain('&lt;b&gt;One&lt;/b&gt;')
  expect(document).toContain('<small>new/two, before at two</small>')
  expect(document).toContain('<a href="/atlas/changes/1.4.0...1.4.2/new/two" rel="nofollow">Two</a>')
  expect(document).not.toContain('Breaking changes')
  const breaking = [{ number: '1.4.1', html: '<ul><li>gone</li></ul>' }]
  const broken = await html('/atlas/changes/1.4.0...1.4.2', { 'releases.changes': () => ok({ ...changes, breaking }) })
  expect(broken).toContain('<h2>Breaking changes</h2><h3><a href="/atlas/releases/1.4.1">1.4.1</a></h3>')
  expect(document).toContain('<meta name="robots" content="noindex, nofollow"/>')
})

test.each(['1.4.0', '1.4.0...', '...1.4.2', '1...2...3'])('%s is no range of releases', async (range) => {
  const { outcome, rounds } = await renderWithSamples(`/atlas/changes/${range}`)
  expect(outcome).toMatchObject({ type: 'html', status: 404 })
  expect(rounds.flat()).not.toContain('releases.changes')
})

const notes = {
  title: 'The fast one',
  summary: 'The fast one: 1 fixed',
  html: '\u00020\u0002',
  extraStyles: false,
  sorted: true,
  source: 'changelog',
  sourceName: 'packages/atlas/CHANGELOG.md',
  sourceUrl: 'https://github.com/acme/atlas/blob/v1.4.2/packages/atlas/CHANGELOG.md',
  cut: true,
}
const changed = { title: 'Overview', path: 'overview', before: null }
const shown = {
  number: '1.4.2',
  day: '2024-03-15',
  framework: null,
  tag: 'v1.4.2',
  tagUrl: 'https://github.com/acme/atlas/releases/tag/v1.4.2',
  commit: 'abcdef0123456789',
  commitUrl: '',
  packages: [],
  notes,
  previous: '1.4.0',
  next: null,
  docs: { added: [], changed: [changed], moved: [], removed: [] },
  docsCount: 70,
}

test('a line of the list leads to the notes of a release', async () => {
  const [major] = [{ framework: null, major: 1, minors: [{ name: '1.4', releases: [{ ...listed, summary: '1 fixed' }] }] }]
  const document = await html('/atlas/releases', { 'releases.list': () => ok({ ...list, hasNotes: true, majors: [major] }) })
  expect(document).toContain('<a href="/atlas/releases/1.4.2" title="Mar 15, 2024">1.4.2</a> <span>1 fixed</span>')
  expect(document).toContain('title="Releases of Acme Atlas" href="/atlas/releases.atom"')
})

test('a release has its notes, their source and the changes in the docs', async () => {
  const document = await html('/atlas/releases/1.4.2', { 'releases.page': () => ok(shown) })
  expect(document).toContain('<title>Acme Atlas 1.4.2 release notes | Acme</title>')
  expect(document).toContain('content="What changed in Acme Atlas 1.4.2: The fast one: 1 fixed."')
  expect(document).toContain('<h2>The fast one</h2>')
  expect(document).toContain('Only the beginning of the notes is shown.')
  expect(document).toContain(`href="${notes.sourceUrl}" rel="noopener">${notes.sourceName}</a>`)
  expect(document).toContain('<h3>Changed pages')
  expect(document).toContain('All 70 pages that differ')
  expect(document).toMatch(/<code>abcdef0<\/code>/)
  expect(document).not.toContain('name="robots"')
})

test('an unknown release leads to the list', async () => {
  const missing = { 'releases.page': () => ({ kind: 'not_found' as const, message: 'Acme Atlas has no release 9.9.9' }) }
  expect(await html('/atlas/releases/9.9.9', missing)).toContain('<a href="/atlas/releases" class="button button-primary">Releases of Acme Atlas</a>')
})

const compareVersion = (path: string, day: string | null) => ({ to: `/atlas/1.4.2/docs/${path}`, path, day })
const difference = {
  title: 'The <cache>',
  html: '<div class="difference-changed"><p>A <ins>new</ins> word</p></div>',
  older: compareVersion('old', '2024-01-02'),
  newer: compareVersion('cache', '2024-03-15'),
  changed: 1,
  added: 2,
  removed: 0,
  extraStyles: false,
}

test('a difference has its counts, links to both versions and a legend', async () => {
  const answers = { 'releases.difference': (request: unknown) => ok({ ...difference, html: JSON.stringify(request) }) }
  const document = await html('/atlas/changes/1.4.0...1.4.2/guides/cache', answers)
  expect(document).toContain('<h1>The &lt;cache&gt;</h1>')
  expect(document).toContain('Changes from 1.4.0 to 1.4.2. 1 block changed and 2 added. The page was at old before.')
  expect(document).toContain('<a href="/atlas/1.4.2/docs/old" rel="nofollow">The page in 1.4.0</a><small>Jan 2, 2024</small>')
  expect(document).toContain('<dt><ins>Added</ins></dt>')
  expect(document).toContain('<meta name="robots" content="noindex, nofollow"/>')
})

test.each([
  [{ older: null }, '/atlas/changes/1.4.0...latest/cache', 'The page is new: 1.4.0 does not have it.'],
  [{ newer: null }, '/atlas/changes/1.4.0...latest/cache', 'The page was removed: the latest docs do not have it.'],
  [{ newer: null }, '/atlas/changes/1.4.0...1.4.2/cache', '<li>1.4.2 has no such page.</li>'],
  [{ changed: 0, added: 0, older: compareVersion('cache', null) }, '/atlas/changes/1.4.0...1.4.2/cache', 'The text of the page did not change.</p>'],
])('%j at %s is said in words', async (other, address, words) => {
  const document = await html(address, { 'releases.difference': () => ok({ ...difference, ...other }) })
  expect(document).toContain(words)
})

test.each(['1.4.0', '1.4.0...1.4.2...latest'])('%s is no range of a difference', async (range) => {
  const { outcome, rounds } = await renderWithSamples(`/atlas/changes/${range}/guides/cache`)
  expect(outcome).toMatchObject({ type: 'html', status: 404 })
  expect(rounds.flat()).not.toContain('releases.difference')
})
