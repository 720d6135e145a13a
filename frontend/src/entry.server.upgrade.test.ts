import { expect, test } from 'vitest'
import type { UpgradePage } from './api/generated'
import type { Answer } from '../tests/renderPage'
import { html, ok } from '../tests/renderPage'

const EMPTY: UpgradePage = { family: [{ library: 'atlas', names: ['@acme/atlas', 'old-atlas'] }], libraries: [] }
const PLAN: UpgradePage = {
  ...EMPTY,
  libraries: [
    {
      library: 'atlas',
      packages: [
        { name: '@acme/atlas', spec: '^1.2.0', kind: 'range', number: '1.9.4' },
        { name: 'old-atlas', spec: '', kind: 'catalog', number: null },
      ],
      installed: { name: '1.9.4', title: '1.9.4' },
      current: { name: 'latest', title: '3.1.0' },
      isCurrent: false,
      guides: [{ version: 'v2', to: '/atlas/v2/docs/guides/migrating' }],
      missing: ['v3'],
    },
  ],
}

const answers = (page: UpgradePage): Record<string, Answer> => ({ 'upgrade.plan': () => ok(page) })
const render = async (url: string, page: UpgradePage) => (await html(url, answers(page))).replaceAll('<!-- -->', '')

test('plan has what is installed and current, the guides, the docs of both, and a pin', async () => {
  const page = await render('/upgrade?packages=%40acme%2Fatlas%40%5E1.2.0', PLAN)
  expect(page).toContain('You have <strong>1.9.4</strong>, current is <strong>3.1.0</strong>')
  expect(page).toContain('means 1.9.4')
  expect(page).toContain('paste your pnpm-workspace.yaml, too')
  expect(page).toMatch(/href="\/atlas\/v2\/docs\/guides\/migrating"[^>]*>Migrate to v2/)
  expect(page).toContain('have no migration guide for v3.')
  expect(page).toMatch(/href="\/atlas\/1\.9\.4\/docs"[^>]*>Docs of 1\.9\.4/)
  expect(page).toMatch(/href="\/atlas\/changes\/1\.9\.4\.\.\.latest"[^>]*>What changed since/)
  expect(page).toMatch(/href="\/atlas\/latest\/docs"[^>]*>Docs of 3\.1\.0/)
  expect(page).toMatch(/data-pin="atlas" data-version="1\.9\.4"/)
})

test('only the page without parameters is for search engines', async () => {
  expect(await render('/upgrade', EMPTY)).not.toContain('noindex')
  expect(await render('/upgrade?packages=%40acme%2Fatlas%40%5E1.2.0', PLAN)).toContain('noindex')
})

test.each([
  ['?error=json&line=12', 'Line 12 is not valid JSON'],
  ['?error=json&line=%3Cb%3E', 'This is not valid JSON'],
  ['?error=lock', 'This is a lock file'],
  ['?packages=react%4019', 'This text names no package'],
])('%s says what is wrong', async (query, message) => {
  expect(await render(`/upgrade${query}`, EMPTY)).toMatch(new RegExp(`role="alert"[^>]*>${message}`))
})

test.each(['', '?error=toString', '?error=%3Cscript%3E'])('%j shows no error', async (query) => {
  expect(await render(`/upgrade${query}`, EMPTY)).toMatch(/role="alert"[^>]*hidden=""[^>]*><\/p>/)
})
