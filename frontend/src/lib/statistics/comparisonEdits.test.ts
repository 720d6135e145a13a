import { expect, test } from 'vitest'
import { comparison, group } from '../../../tests/comparisonSamples'
import type { Comparison } from '../../api/generated'
import {
  addPackage,
  allowedBins,
  groupName,
  isPackageName,
  MAX_PACKAGES,
  mergeInto,
  removeGroup,
  removeMember,
  setBaseline,
  setBin,
  setGroups,
  setIndex,
  setRange,
  toggleBaseline,
  toggleHidden,
} from './comparisonEdits'

const names = ({ groups }: Comparison) => groups.map(groupName)
const hidden = ({ groups }: Comparison) => groups.filter(({ packages }) => packages[0]?.hidden).map(groupName)
const full: Comparison = { ...comparison, groups: Array.from({ length: MAX_PACKAGES }, (_, at) => group(`p${at}`)) }

test('a new package is a group of its own', () => {
  expect(names(addPackage(comparison, 'globe'))).toEqual(['atlas', 'maps', 'globe'])
})

test('a package that is there already is shown', () => {
  const without = toggleHidden(comparison, 'maps')
  expect(hidden(without)).toEqual(['maps'])
  expect(addPackage(without, 'maps')).toEqual(comparison)
})

test('no package is added above the limit', () => {
  expect(addPackage(full, 'globe')).toBe(full)
  expect(mergeInto(full, 'p0', 'globe')).toBe(full)
})

test('removing a group removes it from the baseline, and the last group stays', () => {
  const one = removeGroup(setBaseline(comparison, ['maps']), 'maps')
  expect(one).toMatchObject({ baseline: [] })
  expect(names(one)).toEqual(['atlas'])
  expect(removeGroup(one, 'atlas')).toBe(one)
})

test('packages are merged into a group once, and all but the first can be removed', () => {
  const merged = mergeInto(comparison, 'maps', 'charts')
  expect(merged.groups[1]?.packages.map(({ name }) => name)).toEqual(['maps', 'charts'])
  expect(mergeInto(merged, 'maps', 'charts')).toBe(merged)
  expect(removeMember(merged, 'maps', 'charts')).toEqual(comparison)
  expect(removeMember(merged, 'maps', 'maps')).toEqual(merged)
})

test('hiding another package of a group does not hide the group', () => {
  const changed = toggleHidden(comparison, 'atlas', 'old-atlas')
  expect(hidden(changed)).toEqual([])
  expect(changed.groups[0]?.packages[1]?.hidden).toBe(true)
})

test.each([
  ['7-days', 'daily'],
  ['365-days', 'weekly'],
  ['730-days', 'monthly'],
] as const)('the range %s begins with %s bins', (range, bin) => {
  expect(setRange({ ...comparison, range: '90-days', bin: 'monthly' }, range)).toMatchObject({ range, bin })
})

test('bins that the range does not allow are refused', () => {
  expect(allowedBins('30-days')).toEqual(['daily'])
  expect(setBin(comparison, 'yearly')).toBe(comparison)
  expect(setBin(comparison, 'daily').bin).toBe('daily')
})

test('the baseline is hidden, and shown when it is one no more', () => {
  const based = toggleBaseline(comparison, 'maps')
  expect(based.baseline).toEqual(['maps'])
  expect(hidden(based)).toEqual(['maps'])
  expect(toggleBaseline(based, 'maps')).toEqual(comparison)
})

test('a group that the reader hid stays hidden when the baseline changes', () => {
  const based = setBaseline(toggleHidden(comparison, 'atlas'), ['maps'])
  expect(hidden(setBaseline(based, []))).toEqual(['atlas'])
})

test('an index adds its packages to the comparison', () => {
  const indexed = setIndex(comparison, [group('maps'), group('globe')])
  expect(names(indexed)).toEqual(['atlas', 'maps', 'globe'])
  expect(indexed.baseline).toEqual(['maps', 'globe'])
  expect(setIndex(full, [group('globe')])).toBe(full)
})

test('a popular comparison keeps the range and drops the baseline', () => {
  const opened = setGroups({ ...setBaseline(comparison, ['maps']), range: '7-days' }, [group('globe')])
  expect(opened).toMatchObject({ range: '7-days', baseline: [] })
  expect(names(opened)).toEqual(['globe'])
})

test.each(['react', '@angular/core', 'JSONStream', 'a.b_c'])('%s is the name of a package', (name) => {
  expect(isPackageName(name)).toBe(true)
})

test.each(['', '.hidden', '@scope', 'two words', 'a/b', 'x'.repeat(215)])('"%s" is no name of a package', (name) => {
  expect(isPackageName(name)).toBe(false)
})
