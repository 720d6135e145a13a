import { expect, test } from 'vitest'
import { atlas } from '../../../tests/samples'
import { isLatest, versionedName, listVersionChoices, findVersion, versionNotice } from './version'

const v2 = { name: 'v2', branch: 'main', docsRoot: 'docs', defaultDocs: 'overview', label: null, banner: null }
const v1 = { ...v2, name: 'v1', branch: 'v1' }
const oldest = { ...v1, label: '1.x', docsRoot: 'old/docs' }
const labeled = { ...atlas, versions: [{ ...v2, label: '2.0 (stable)' }, oldest] }

test('latest is the branch of the latest version', () => {
  expect(findVersion(atlas, 'latest')).toEqual({ ...v2, name: 'latest', branch: 'main' })
  expect(findVersion(atlas, 'v1')).toEqual({ ...v1, name: 'v1', branch: 'v1' })
  expect(findVersion(labeled, 'v1')?.docsRoot).toBe('old/docs')
})

test('a version the library has not is none', () => {
  expect(findVersion(atlas, 'v9')).toBeNull()
})

const place = { library: atlas, version: 'v1', pathname: '/atlas/v1/docs/x' }

test('one chooses between the latest and every version, on the page one is reading', () => {
  const choices = listVersionChoices({ ...place, alternatives: undefined })
  expect(choices.map(({ label, href, current }) => [label, href, current])).toEqual([
    ['v2 (latest)', '/atlas/latest/docs/x', false],
    ['v1', '/atlas/v1/docs/x', true],
  ])
})

test.each(['latest', 'v2'])('the latest version has one entry, which is current in %s', (version) => {
  const choices = listVersionChoices({ ...place, version, alternatives: undefined })
  expect(choices.filter(({ current }) => current).map(({ label }) => label)).toEqual(['v2 (latest)'])
})

test('a version that has another page instead says which, and one without docs is not offered', () => {
  const alternatives = [
    { name: 'latest', to: '/atlas/latest/docs/y', title: 'Y' },
    { name: 'v1', to: '/atlas/v1/docs/x', title: null },
  ]
  expect(listVersionChoices({ ...place, alternatives }).map(({ href, note }) => [href, note])).toEqual([
    ['/atlas/latest/docs/y', 'opens “Y”'],
    ['/atlas/v1/docs/x', null],
  ])
})

test.each([
  ['latest', true],
  ['v2', true],
  ['v1', false],
])('%s is the latest: %s', (version, latest) => {
  expect(isLatest(atlas, version)).toBe(latest)
})

test.each([
  ['latest', 'Acme Atlas'],
  ['v2', 'Acme Atlas'],
  ['v1', 'Acme Atlas v1'],
])('the title of a page in %s calls the library %s', (name, called) => {
  expect(versionedName(atlas, { ...v2, name })).toBe(called)
})

test('menus and titles show the label of a version instead of its name', () => {
  const choices = listVersionChoices({ ...place, library: labeled, alternatives: undefined })
  expect(choices.map(({ label, href }) => [label, href])).toEqual([
    ['2.0 (stable)', '/atlas/latest/docs/x'],
    ['1.x', '/atlas/v1/docs/x'],
  ])
  expect(versionedName(labeled, oldest)).toBe('Acme Atlas 1.x')
})

test.each([
  ['v1', null, { text: '', current: '2.0 (stable)' }],
  ['v1', 'none', null],
  ['v1', 'unreleased', { text: '1.x is not released yet.', current: '2.0 (stable)' }],
  ['v1', 'unmaintained', { text: '1.x is no longer maintained.', current: '2.0 (stable)' }],
  ['latest', null, null],
  ['v2', 'unmaintained', { text: '2.0 (stable) is no longer maintained.', current: null }],
] as const)('the notice of %s with the banner %s', (name, banner, notice) => {
  expect(versionNotice(labeled, { ...oldest, name, banner })).toEqual(notice)
})
