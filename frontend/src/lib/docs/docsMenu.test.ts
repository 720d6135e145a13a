import { expect, test } from 'vitest'
import { atlas, config, shell } from '../../../tests/samples'
import { listCrumbs, docsSections, containsPath, findAdjacentPages, librarySection } from './docsMenu'

const place = { library: atlas, version: 'latest' }
const react = docsSections(place, config, 'react')

function labels(framework: string | null): Record<string, string[]> {
  const sections = docsSections(place, config, framework)
  return Object.fromEntries(sections.map((section) => [section.label, section.links.map((link) => link.label)]))
}

test('a section shows what concerns all frameworks, then what concerns this one', () => {
  expect(labels('react').Start).toEqual(['Overview', 'Paid', 'Install'])
})

test('a section with nothing for the framework is left out', () => {
  expect(Object.keys(labels('vue'))).toEqual(['Start', 'Guides', 'Community'])
  expect(Object.keys(labels(null))).toEqual(['Start', 'Community'])
})

test('a badge of the config wins over the name of the framework', () => {
  expect(react[0]?.links.map((link) => link.badge)).toEqual([null, 'pro', 'react'])
})

test("a framework's name is no badge where every page is its own", () => {
  expect(react[1]?.links.map((link) => link.badge)).toEqual([null, null])
})

test('a link loses its extension, keeps its hash, and a bare hash is no link', () => {
  expect(react[1]?.links[1]).toMatchObject({
    href: '/atlas/latest/docs/framework/react/hooks#all',
    path: 'framework/react/hooks',
  })
  expect(react.at(-1)?.links).toEqual([{ label: 'Forum', href: 'https://forum.example', path: null, badge: null }])
})

test('a section is collapsed only when it can be opened', () => {
  expect(react.map(({ collapsible, collapsed }) => [collapsible, collapsed])).toEqual([
    [false, false],
    [true, true],
    [false, false],
    [false, false],
  ])
})

test('the first group leads home, to the frameworks, the code and the chat', () => {
  expect(librarySection(place, 2, shell.social).links.map((link) => link.href)).toEqual([
    '/atlas/latest',
    '/atlas/latest/docs/framework',
    'https://github.com/acme/atlas',
    'https://chat.example',
  ])
})

test('the list of frameworks is a page of the menu like any other', () => {
  expect(containsPath(librarySection(place, 2, []), 'framework')).toBe(true)
})

test('a library with one framework has no list of them', () => {
  expect(librarySection(place, 1, []).links.map((link) => link.label)).toEqual(['Home', 'GitHub'])
})

test('the neighbors of a page are those of the menu, across sections and with examples', () => {
  const { previous, next } = findAdjacentPages(react, 'framework/react/hooks')
  expect(previous?.path).toBe('framework/react/guides/markers')
  expect(next?.path).toBe('framework/react/examples/basic')
})

test('the first page has none before it and the last page of the docs none after it', () => {
  expect(findAdjacentPages(react, 'overview').previous).toBeNull()
  expect(findAdjacentPages(react, 'framework/react/examples/basic').next).toBeNull()
})

test('a page that is not in the menu has no neighbors', () => {
  expect(findAdjacentPages(react, 'reference/x')).toEqual({ previous: null, next: null })
})

test('a section holds its pages', () => {
  expect(react.map((section) => containsPath(section, 'framework/react/hooks'))).toEqual([false, true, false, false])
})

test('the way to a page leads over its library and its section', () => {
  expect(listCrumbs(place, react, 'framework/react/hooks', 'All hooks')).toEqual([
    { label: 'Acme Atlas', href: '/atlas/latest' },
    { label: 'Guides', href: '/atlas/latest/docs/framework/react/guides/markers' },
    { label: 'All hooks', href: '/atlas/latest/docs/framework/react/hooks' },
  ])
})

test('a page that is not in the menu is in its library', () => {
  expect(listCrumbs(place, react, 'reference/x', 'X').map(({ label }) => label)).toEqual(['Acme Atlas', 'X'])
})
