// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import type { Load } from '../../api/call'
import type { CheckedVersion, CodeCheckState, Functions, LinkReport, SearchFigures, StatisticsImport } from '../../api/generated'
import { render } from '../../../tests/render'
import { CodeChecks } from './CodeChecks'
import { ContentVersions } from './ContentVersions'
import { FeedbackInbox } from './FeedbackInbox'
import { LinkReports } from './LinkReports'
import { SearchActivity } from './SearchActivity'
import { SiteOverrides } from './SiteOverrides'
import { StatisticsImporter } from './StatisticsImporter'
import { ToastProvider } from '../ui/Toast'

type Answers = Partial<{ [Id in keyof Functions]: Functions[Id]['output'] }>

const noSearches: SearchFigures = { days: [], texts: [], withoutResult: [], places: [] }
const query = { text: 'cache', searches: 3, withoutResult: 0, clicks: 1, place: 1 }
const today = new Date().toISOString().slice(0, 10)
const noRequests: LinkReport = {
  days: [],
  missing: [],
  redirects: [],
  checks: true,
  checkedAt: null,
  checkedPages: 0,
  checkedLinks: 0,
  faultCount: 0,
  faults: [],
}
const noImport: StatisticsImport = {
  enabled: false,
  packages: [],
  waiting: [],
  notFound: [],
  withVersions: 0,
  lastSuccessAt: null,
  lastFailure: '',
  lastFailureAt: null,
  pausedUntil: null,
}

/** The titles and texts of a panel that gets these answers. */
async function show(panel: (load: Load) => ReactElement, answers: Answers): Promise<string[]> {
  const load: Load = async (id) => {
    const answer = answers[id]
    if (answer === undefined) throw new Error(`No answer for ${id}`)
    return answer
  }
  const { container } = await render(<ToastProvider>{panel(load)}</ToastProvider>)
  await screen.findAllByRole('heading')
  return [...container.querySelectorAll('h2, .dashboard-empty')].map(({ textContent }) => textContent)
}

test('searches: without any, one sentence says so, without a chart', async () => {
  const shown = await show((load) => <SearchActivity load={load} />, { 'maintenance.searches': noSearches })
  expect(shown).toEqual([
    'Searches',
    'There were no searches in the last 30 days. Queries are counted here when readers search this site.',
  ])
  expect(document.querySelector('.day-bars, .day-bars-legend')).toBeNull()
})

test('searches: that all had results is said only where there were some', async () => {
  const figures = { ...noSearches, days: [{ day: today, searches: 3, withoutResult: 0, clicks: 0 }], texts: [query] }
  const shown = await show((load) => <SearchActivity load={load} />, { 'maintenance.searches': figures })
  expect(shown).toEqual([
    'Without results',
    'Every search in the last 30 days had results.',
    'Most frequent',
    'Clicks by position of the result',
    'No results were opened in the last 30 days.',
  ])
  expect(document.querySelector('.day-bars figcaption')?.textContent).toContain('at most 3 a day')
})

test('searches: clicks of earlier searches are shown without a chart', async () => {
  const figures = {
    ...noSearches,
    days: [{ day: today, searches: 0, withoutResult: 0, clicks: 2 }],
    places: [{ place: 1, clicks: 2 }],
  }
  const shown = await show((load) => <SearchActivity load={load} />, { 'maintenance.searches': figures })
  expect(shown.at(0)).toBe('Searches')
  expect(shown.at(-1)).toBe('Clicks by position of the result')
  expect(document.querySelector('.day-bars')).toBeNull()
})

test('links: without requests and a check, both are said, without a chart', async () => {
  const shown = await show((load) => <LinkReports load={load} />, { 'maintenance.links': noRequests })
  expect(shown).toEqual([
    'Requests that found no page',
    'No missing pages and no old addresses were requested in the last 30 days.',
    'Problems in the docs',
    'The docs have not been checked yet. The first check starts 30 seconds after the site.',
  ])
  expect(document.querySelector('.day-bars')).toBeNull()
})

test('links: a site that does not check its docs does not announce a check', async () => {
  const shown = await show((load) => <LinkReports load={load} />, { 'maintenance.links': { ...noRequests, checks: false } })
  expect(shown.at(-1)).toBe('The docs are not checked: KINFOLK_LINK_CHECK is off.')
})

test('links: no problems are reported only after a check', async () => {
  const checked = { ...noRequests, checkedAt: '2026-11-20T10:00:00Z', checkedPages: 1, checkedLinks: 2 }
  const shown = await show((load) => <LinkReports load={load} />, { 'maintenance.links': checked })
  expect(shown.at(-1)).toBe('The last check found no problems.')
  expect(document.body.textContent).toContain('Checked on Nov 20, 2026: 1 page with 2 links have 0 faults.')
})

test('feedback: without any answer, votes are not mentioned', async () => {
  const shown = await show((load) => <FeedbackInbox load={load} />, { 'feedback.queue': { items: [], votes: [] } })
  expect(shown).toEqual(['Open', 'No reader has answered yet whether a page was helpful.'])
})

test('feedback: pages with votes and no open answer', async () => {
  const votes = [{ library: 'atlas', version: 'latest', path: 'overview', title: 'Overview', no: 0, yes: 1, notes: 0 }]
  const shown = await show((load) => <FeedbackInbox load={load} />, { 'feedback.queue': { items: [], votes } })
  expect(shown).toEqual(['Open', 'No open answers about the current text.', 'Votes by page'])
})

test('content: docs of a folder have no column of syncs', async () => {
  const version = {
    library: 'Atlas',
    version: 'v1',
    repo: 'acme/atlas',
    branch: 'main',
    commit: null,
    history: 'https://git.example',
    committedAt: null,
    pages: 0,
    syncedAt: null,
    failedAt: null,
    failure: '',
  }
  const content = { mirrored: false, source: 'the bundled docs', versions: [version] }
  await show((load) => <ContentVersions load={load} />, { 'maintenance.content': content })
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Library', 'State', 'Pages', 'Commit'])
  expect(screen.getByText('no docs')).toBeTruthy()
})

test('promotions and sponsors: without any, what is shown in their place', async () => {
  const overrides = { slots: ['footer'], promotions: [], sponsors: [] }
  const shown = await show((load) => <SiteOverrides load={load} />, { 'overrides.list': overrides })
  expect(shown).toEqual([
    'Promotions',
    'No promotions. The boxes show libraries and partners.',
    'Sponsors',
    'No sponsors are set here. The site shows those of GitHub and of its files, if there are any.',
  ])
})

test('statistics: without packages, no progress is shown', async () => {
  const shown = await show((load) => <StatisticsImporter load={load} />, { 'maintenance.statistics': noImport })
  expect(shown).toEqual([
    'Importer turned off',
    'Packages',
    'No packages are compared. The files of the site name none, and no reader has requested one.',
  ])
  expect(document.querySelector('meter')).toBeNull()
})

const version: CheckedVersion = {
  library: 'Atlas',
  libraryId: 'atlas',
  version: 'v4',
  checkedAt: '2026-11-28T10:05:00Z',
  packages: ['@acme/atlas@4.2.0'],
  pages: 3,
  blocks: 12,
  right: 9,
  wrong: 1,
  notCheckable: 1,
  ignored: 1,
  problems: [],
}
const code: CodeCheckState = { isOn: true, hasRegistry: true, versions: [version], findingCount: 0, pages: [], weeks: [] }
const finding = { kind: 'unknown_property', code: 'gaps: 1,', sentence: '`gaps` is no option of `<b>`.' } as const
const wrong: CodeCheckState = {
  ...code,
  findingCount: 5,
  pages: [
    {
      library: 'Atlas',
      version: 'v4',
      title: 'Gaps & <i>more</i>',
      to: '/atlas/latest/docs/gaps',
      file: 'docs/gaps.md',
      findings: [
        { ...finding, key: 'a-0', line: 7, edit: 'https://git.example/edit/gaps.md#L7' },
        { ...finding, key: 'a-1', line: 0, edit: null },
      ],
    },
  ],
}

test('code: a site that does not check code names the setting', async () => {
  const shown = await show((load) => <CodeChecks load={load} />, { 'maintenance.code': { ...code, isOn: false } })
  expect(shown).toEqual(['Checked code', 'Code blocks are not checked: KINFOLK_CODE_CHECKS is off.'])
})

test.each([true, false])('code: before the first check, the setting of the registry is named where there is none: %s', async (hasRegistry) => {
  const unchecked = { ...code, hasRegistry, versions: [{ ...version, checkedAt: null }] }
  const [, text] = await show((load) => <CodeChecks load={load} />, { 'maintenance.code': unchecked })
  expect(text).toContain(hasRegistry ? 'No code has been checked yet.' : 'Set KINFOLK_NPM_REGISTRY')
})

test('code: without findings, the numbers are shown and no list', async () => {
  const shown = await show((load) => <CodeChecks load={load} />, { 'maintenance.code': code })
  expect(shown).toEqual(['Checked code', 'Wrong code', 'The last checks found nothing wrong.'])
  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    'Atlas v4', '12', '10', '9', '1', '1', '1', '@acme/atlas@4.2.0', 'Nov 28, 2026, 10:05 UTC',
  ])
  expect(screen.getByRole('link', { name: 'Atlas' }).getAttribute('href')).toBe('/atlas/code-checks.atom')
})

test('code: a finding names its line, links to the editor, and is text', async () => {
  await show((load) => <CodeChecks load={load} />, { 'maintenance.code': wrong })
  expect(screen.getByRole('link', { name: 'Gaps & <i>more</i>' }).getAttribute('href')).toBe('/atlas/latest/docs/gaps')
  expect(screen.getByRole('link', { name: 'Edit line 7' }).getAttribute('href')).toBe('https://git.example/edit/gaps.md#L7')
  expect(screen.getAllByRole('link', { name: /Edit/ })).toHaveLength(1)
  expect([...document.querySelectorAll('.code-finding p code')].map(({ textContent }) => textContent)).toEqual(['gaps', '<b>', 'gaps', '<b>'])
  expect(document.body.textContent).toContain('3 more are not listed.')
})

test('code: weeks are sums of all versions', async () => {
  const week = { library: 'Atlas', week: '2026-11-23', checked: 10, right: 9, wrong: 1, notCheckable: 1, ignored: 1 }
  const weeks = ['v3', 'v4'].flatMap((name) => [
    { ...week, version: name },
    { ...week, version: name, week: '2026-11-16', wrong: 2, right: 8 },
  ])
  await show((load) => <CodeChecks load={load} />, { 'maintenance.code': { ...code, weeks } })
  const table = screen.getByRole('region', { name: 'Code blocks by week' })
  expect([...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['Nov 23, 2026', '20', '18', '2', '2', '2'],
    ['Nov 16, 2026', '20', '16', '4', '2', '2'],
  ])
  expect(document.querySelector('.day-bars figcaption')?.textContent).toContain('at most 20 a week')
  expect(document.querySelectorAll('.day-bars svg g')).toHaveLength(26)
})
