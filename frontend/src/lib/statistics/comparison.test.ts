import { expect, test } from 'vitest'
import { chart, comparison, group } from '../../../tests/comparisonSamples'
import { comparisonQuery, comparisonSearch, dataKey, pickParameters, withColors, withDisplay } from './comparison'

const GROUPS = [{ packages: [{ name: 'atlas' }, { name: 'old-atlas' }] }, { packages: [{ name: 'maps' }] }]

test('a search has the groups and what differs from the defaults', () => {
  expect(comparisonSearch(comparison)).toEqual({ packageGroups: GROUPS })
  expect(
    comparisonSearch({
      ...comparison,
      groups: [{ packages: [{ name: 'atlas', hidden: true }], color: '#ff4500' }],
      range: '30-days',
      bin: 'daily',
      baseline: ['atlas'],
      normalizeBaseline: false,
      facetX: 'pkg',
      bins: 'complete',
      withoutMirrors: true,
    }),
  ).toEqual({
    packageGroups: [{ packages: [{ name: 'atlas', hidden: true }], color: '#ff4500' }],
    range: '30-days',
    binningOption: 'daily',
    baseline: 'atlas',
    normalizeBaseline: false,
    facetX: 'pkg',
    showDataMode: 'complete',
    mirrors: 'without',
  })
})

test('several baselines are a list', () => {
  expect(comparisonSearch({ ...comparison, baseline: ['atlas', 'maps'] }).baseline).toEqual(['atlas', 'maps'])
})

test('a range is written with its bins, since readers of the URL choose different bins for a range', () => {
  expect(comparisonSearch({ ...comparison, range: '730-days' })).toMatchObject({ range: '730-days', binningOption: 'weekly' })
})

test('a query quotes strings that are JSON, as the router does', () => {
  const { groups } = { groups: [group('5')] }
  expect(comparisonQuery({ ...comparison, groups, baseline: ['5'] })).toBe(
    'packageGroups=%5B%7B%22packages%22%3A%5B%7B%22name%22%3A%225%22%7D%5D%7D%5D&baseline=%225%22',
  )
})

test('parameters that do not belong to comparisons are left out', () => {
  expect(pickParameters({ utm_source: 'x', height: 500, range: '7-days' })).toEqual({ range: '7-days', height: 500 })
})

test('height, facets and digits of colors do not change the data, a color instead of none does', () => {
  const key = dataKey({ packageGroups: [{ packages: GROUPS, color: '#ff0000' }], range: '7-days' })
  expect(dataKey({ packageGroups: [{ packages: GROUPS, color: '#00ff00' }], range: '7-days', height: 900, facetX: 'pkg' })).toBe(key)
  expect(dataKey({ packageGroups: [{ packages: GROUPS }], range: '7-days' })).not.toBe(key)
  expect(dataKey({ packageGroups: [{ packages: GROUPS, color: '#ff0000' }], range: '30-days' })).not.toBe(key)
})

test('what the URL shows differently is taken from it', () => {
  const packageGroups = [{ packages: [], color: '#FF0000' }, { color: 7 }]
  const shown = withDisplay(comparison, { height: 99_999, facetX: 'name', packageGroups })
  expect(shown).toMatchObject({ height: 2000, facetX: 'pkg', facetY: null })
  expect(shown.groups.map(({ color }) => color)).toEqual(['#ff0000', null])
})

test.each([[{ height: 'tall', facetX: 3, packageGroups: 'x' }], [{ packageGroups: [null] }], [{}]])(
  'an invalid display %j falls back to the defaults',
  (search) => {
    expect(withDisplay(comparison, search)).toEqual(comparison)
  },
)

test('a chart is the same object unless a color or a facet differs', () => {
  expect(withColors(chart, { ...comparison, height: 900 })).toBe(chart)
  const recolored = withColors(chart, { ...comparison, groups: [{ ...group('atlas'), color: '#ff0000' }, group('maps')] })
  expect(recolored.series.map(({ color }) => color)).toEqual(['#ff0000', '#ff7f0e'])
  expect(withColors(chart, { ...comparison, facetY: 'pkg' }).comparison.facetY).toBe('pkg')
})
