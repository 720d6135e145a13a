import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { init } from './entry.server'
import type { Answer } from './rendered'
import { answered, html, ok } from './rendered'
import { page, shell } from './samples'

afterEach(() => vi.restoreAllMocks())

beforeAll(() => {
  const files = { starter: '/assets/starter.js', app: '/assets/app.js', css: '/assets/site.css' }
  init(JSON.stringify({ ...files, styles: { blog: '/assets/blog.css' } }))
})

function titlesOf(document: string): string[] {
  return [...document.matchAll(/<title>(.*?)<\/title>/g)].map(([, title = '']) => title)
}

test('a failure is a page with status 500, its message and ways on', async () => {
  const { outcome } = await answered('/atlas/latest/docs/overview', {
    'docs.page': () => ({ kind: 'error', code: 'unavailable', message: 'The mirror is empty' }),
  })
  expect(outcome).toMatchObject({ type: 'html', status: 500 })
  for (const words of ['The mirror is empty', 'Try Again', 'Go Back']) {
    expect(outcome).toHaveProperty('html', expect.stringContaining(words))
  }
})

test('what is missing and what failed say so in their titles', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const missing: Answer = () => ({ kind: 'not_found', message: 'There is no such page' })
  const failed: Answer = () => ({ kind: 'error', code: 'unavailable', message: 'The mirror is empty' })
  const address = '/atlas/latest/docs/overview'
  const titles = {
    '/nothing/like/this': await html('/nothing/like/this'),
    'a missing post': await html('/blog/gone'),
    'a missing page': await html(address, { 'docs.page': missing, 'docs.nearest': () => ok([]) }),
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

test('a failure of what all pages share offers the way home', async () => {
  const { outcome } = await answered('/', { 'site.shell': () => ({ kind: 'error', code: 'x', message: 'No shell' }) })
  expect(outcome).toMatchObject({ type: 'html', status: 500, html: expect.stringContaining('No shell') })
  expect(outcome).toMatchObject({ html: expect.stringContaining('Home</a>') })
  expect(outcome).toMatchObject({ html: expect.stringMatching(/^<!DOCTYPE html><html.*site\.css.*<\/html>$/s) })
})

test('a component that breaks makes the page a failure', async () => {
  const complaints = vi.spyOn(console, 'error').mockReturnValue()
  const { outcome } = await answered('/', { 'site.shell': () => ok({ ...shell, groups: null }) })
  expect(outcome).toMatchObject({ type: 'html', status: 500 })
  expect(outcome).toHaveProperty('html', expect.stringMatching(/^<!DOCTYPE html><html.*Something went wrong.*<\/html>$/s))
  expect(outcome).toHaveProperty('html', expect.stringContaining('data-app=""'))
  expect(complaints).toHaveBeenCalled()
})
