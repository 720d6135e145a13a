import { expect, test } from 'vitest'
import { atlas } from '../../../tests/samples'
import { isLatest, versionedName, listVersionChoices, findVersion } from './version'

test('latest is the branch of the latest version', () => {
  expect(findVersion(atlas, 'latest')).toEqual({ name: 'latest', branch: 'main' })
  expect(findVersion(atlas, 'v1')).toEqual({ name: 'v1', branch: 'v1' })
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
  expect(versionedName(atlas, { name, branch: 'main' })).toBe(called)
})
