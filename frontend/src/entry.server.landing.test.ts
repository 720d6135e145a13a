// Landing pages and figures, rendered on the server.
import { beforeAll, expect, test } from 'vitest'
import { init } from './entry.server'
import { html, ok } from '../tests/renderPage'

beforeAll(() => init(JSON.stringify({ boot: '/assets/boot.js', app: '/assets/app.js', css: '/assets/site.css', styles: {} })))

test('the library page shows users, partners and documentation figures', async () => {
  const shown = await html('/atlas/latest')
  for (const words of ['Ann', 'Prints maps.', '<strong>1,234</strong>', 'Mar 18, 2025', 'Every scale']) {
    expect(shown).toContain(words)
  }
  expect(shown).not.toContain('This page describes')
})

test('figures have their date where they are old or grow, and the topic of their changes', async () => {
  const library = await html('/atlas/latest')
  expect(library).toContain('data-live="{&quot;name&quot;:&quot;figures.library&quot;,&quot;args&quot;:{&quot;library&quot;:&quot;atlas&quot;}}"')
  expect(library).toContain('5,678</dd>')
  expect(library).toContain('as of Mar 2, 2025')
  const family = await html('/')
  expect(family).toContain('data-per-day="8640"')
  expect(family.match(/as of /g)).toHaveLength(1)
  expect(family).toContain('as of Mar 17, 2025')
})

test('nothing is said about unknown figures', async () => {
  const unknown = { stars: null, contributors: null, dependents: null, downloadsTotal: null, downloadsPerDay: null }
  const library = await html('/atlas/latest', { 'figures.library': () => ok(unknown) })
  expect(library).not.toContain('figure-list')
  expect(library).not.toContain('stars on GitHub')
})

test('the landing page of an old version says which version is current', async () => {
  const landing = await html('/atlas/v1')
  expect(landing).toContain('This page is about v1. The current version is v2.')
  expect(landing).toContain('href="/atlas/latest" class="text-link"')
})
