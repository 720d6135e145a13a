import { beforeAll, expect, test, vi } from 'vitest'
import { init } from './entry.server'
import type { Answer } from '../tests/renderPage'
import { renderWithSamples, html, ok } from '../tests/renderPage'
import { page, shell } from '../tests/samples'

beforeAll(() => {
  const files = { boot: '/assets/boot.js', app: '/assets/app.js', css: '/assets/site.css' }
  init(JSON.stringify({ ...files, styles: { blog: '/assets/blog.css' } }))
})

function titlesOf(document: string): string[] {
  return [...document.matchAll(/<title>(.*?)<\/title>/g)].map(([, title = '']) => title)
}

test('an error is rendered as a page with status 500, its message and links', async () => {
  const { outcome } = await renderWithSamples('/atlas/latest/docs/overview', {
    'docs.page': () => ({ kind: 'error', code: 'unavailable', message: 'The mirror is empty' }),
  })
  expect(outcome).toMatchObject({ type: 'html', status: 500 })
  for (const words of ['The mirror is empty', 'Try Again', 'Go Back']) {
    expect(outcome).toHaveProperty('html', expect.stringContaining(words))
  }
})

test('titles of missing pages and of errors name the problem', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const missing: Answer = () => ({ kind: 'not_found', message: 'There is no such page' })
  const failed: Answer = () => ({ kind: 'error', code: 'unavailable', message: 'The mirror is empty' })
  const address = '/atlas/latest/docs/overview'
  const titles = {
    '/nothing/like/this': await html('/nothing/like/this'),
    'a missing post': await html('/blog/gone'),
    'a missing page': await html(address, { 'docs.page': missing, 'docs.nearest': () => ok({ nearest: [], versions: [] }) }),
    'a loader that fails': await html(address, { 'docs.page': failed }),
    'a menu that fails': await html(address, { 'docs.config': failed }),
    'a component that breaks': await html(address, { 'docs.page': () => ok({ ...page('One', ''), headings: null }) }),
    'no shell': await html('/', { 'site.shell': failed }),
  }
  expect(Object.fromEntries(Object.entries(titles).map(([name, document]) => [name, titlesOf(document)]))).toEqual({
    '/nothing/like/this': ['404 Not Found | Acme'],
    'a missing post': ['404 Not Found | Acme'],
    'a missing page': ['404 Not Found | Acme'],
    'a loader that fails': ['Something went wrong | Acme'],
    'a menu that fails': ['Something went wrong | Acme'],
    'a component that breaks': ['Something went wrong | Acme'],
    'no shell': ['Something went wrong'],
  })
  for (const document of Object.values(titles)) expect(document).toContain('<meta name="robots" content="noindex"/>')
})

test('an error of the shell is rendered with a link to the home page', async () => {
  const { outcome } = await renderWithSamples('/', { 'site.shell': () => ({ kind: 'error', code: 'x', message: 'No shell' }) })
  expect(outcome).toMatchObject({ type: 'html', status: 500, html: expect.stringContaining('No shell') })
  expect(outcome).toMatchObject({ html: expect.stringContaining('Home</a>') })
  expect(outcome).toMatchObject({ html: expect.stringMatching(/^<!DOCTYPE html><html.*site\.css.*<\/html>$/s) })
})

test('a component that throws makes the page an error page', async () => {
  const complaints = vi.spyOn(console, 'error').mockReturnValue()
  const { outcome } = await renderWithSamples('/', { 'site.shell': () => ok({ ...shell, groups: null }) })
  expect(outcome).toMatchObject({ type: 'html', status: 500 })
  expect(outcome).toHaveProperty('html', expect.stringMatching(/^<!DOCTYPE html><html.*Something went wrong.*<\/html>$/s))
  expect(outcome).toHaveProperty('html', expect.stringContaining('data-failed=""'))
  expect(complaints).toHaveBeenCalled()
})
