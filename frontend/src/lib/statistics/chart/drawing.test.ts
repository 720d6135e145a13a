import { expect, test } from 'vitest'
import { chart, comparison, series } from '../../../../tests/comparisonSamples'
import { drawChart, panelHeight } from './drawing'
import { endLabels } from './endLabels'
import { inWords, readBin } from './reading'
import { contrast, shadesOf, SURFACES } from './seriesColors'
import { withoutInvalidXml } from './xmlText'

const faceted = (facetX: 'pkg' | null, facetY: 'pkg' | null) => drawChart({ ...chart, comparison: { ...comparison, facetX, facetY } })

test.each([
  [null, null, 'one', 1],
  ['pkg', null, 'columns', 2],
  [null, 'pkg', 'rows', 2],
  ['pkg', 'pkg', 'grid', 2],
] as const)('facets %s and %s are the layout %s with %i panels', (facetX, facetY, layout, panels) => {
  expect(faceted(facetX, facetY)).toMatchObject({ layout, panels: { length: panels } })
})

test('a chart without lines has one empty panel', () => {
  const { layout, panels } = drawChart({ ...chart, comparison: { ...comparison, facetX: 'pkg' }, series: [] })
  expect([layout, panels.length]).toEqual(['one', 1])
})

test('all panels have the scale of the whole chart', () => {
  expect(faceted('pkg', null).scale.high).toBe(drawChart(chart).scale.high)
})

test('series without values are not drawn', () => {
  const hidden = [series('a', { status: 'hidden', values: [] }), series('b', { values: [null, null] }), series('c')]
  expect(drawChart({ ...chart, series: hidden }).panels[0]?.lines.map(({ series: { name } }) => name)).toEqual(['c'])
})

test('an outage covers the bins that have its days', () => {
  // Jan 24 is in the third week of six.
  const [band] = drawChart(chart).panels[0]?.bands ?? []
  expect(band).toMatchObject({ firstBin: 2, lastBin: 2, from: 0.3, to: 0.5 })
})

test.each([
  ['other', 0],
  ['old-atlas', 1],
  ['', 1],
])('an outage of %j has %i bands', (affected, count) => {
  const outages = [{ first: '2025-01-24', last: '2025-01-24', package: affected, text: 'x' }]
  expect(drawChart({ ...chart, outages }).panels[0]?.bands).toHaveLength(count)
})

test('outages outside of the range, or without dates, have no bands', () => {
  const outages = ['2024-12-01', '2025-03-01', 'soon'].map((day) => ({ first: day, last: day, package: '', text: 'x' }))
  expect(drawChart({ ...chart, outages }).panels[0]?.bands).toEqual([])
})

test('panels in rows share the height', () => {
  expect(panelHeight('one', 1, 400)).toBe(400)
  expect(panelHeight('rows', 2, 400)).toBe(200)
  expect(panelHeight('rows', 30, 400)).toBe(140)
  expect(panelHeight('grid', 30, 400)).toBe(200)
})

test('a reading has the values of a bin, the largest first, and what is wrong with them', () => {
  const reading = readBin(chart, drawChart(chart), 5)
  expect(inWords(reading)).toBe('Week of Feb 9, 2025: atlas 300, maps 200. This week is not complete.')
  expect(inWords(readBin(chart, drawChart(chart), 2))).toBe('Week of Jan 19, 2025: atlas 900, maps 600. npm counted no downloads.')
})

test('a reading names the series with gaps, if not all have them', () => {
  const some = { ...chart, outages: [], series: [series('a', { gaps: [1] }), series('b', { fixed: [1] }), series('c', { gaps: [1] })] }
  expect(readBin(some, drawChart(some), 1).notes).toEqual(['Days are missing: a and c.', 'Scaled up for missing days: b.'])
  const all = { ...chart, outages: [], series: [series('a', { gaps: [1] })] }
  expect(readBin(all, drawChart(all), 1).notes).toEqual(['Days are missing.'])
})

test('a bin without data says so', () => {
  const none = { ...chart, series: [] }
  expect(inWords(readBin(none, drawChart(none), 0))).toBe('Week of Jan 5, 2025: no data.')
})

test('labels at the ends keep their distance and stay within the plot', () => {
  const many = Array.from({ length: 10 }, (_, at) => series(`s${at}`, { values: [5, 5, 5, 5, 5, at % 2] }))
  const { panels, scale } = drawChart({ ...chart, series: many })
  const tops = endLabels(panels[0]?.lines ?? [], 6, scale, 300).map(({ top }) => top)
  expect(tops).toHaveLength(10)
  expect(tops.every((top, at) => at === 0 || top - (tops[at - 1] ?? 0) >= 17 / 300 - 1e-9)).toBe(true)
  expect(Math.max(...tops)).toBeLessThanOrEqual(1)
  expect(endLabels(panels[0]?.lines ?? [], 6, scale, 150)).toEqual([])
})

test('a line that ends early has no label', () => {
  const { panels, scale } = drawChart({ ...chart, series: [series('a', { values: [1, 2, 3] }), series('b')] })
  expect(endLabels(panels[0]?.lines ?? [], 6, scale, 300).map(({ name }) => name)).toEqual(['b'])
})

test.each(['#ffffff', '#000000', '#ffff00', '#0000ff', '#1f77b4', '#808080', 'red', ''])('%s is visible on all surfaces', (color) => {
  const shades = shadesOf(color)
  for (const surface of SURFACES.light) expect(contrast(shades.light, surface)).toBeGreaterThanOrEqual(3)
  for (const surface of SURFACES.dark) expect(contrast(shades.dark, surface)).toBeGreaterThanOrEqual(3)
})

test('a color with enough contrast stays as it is', () => {
  expect(shadesOf('#1f77b4')).toEqual({ light: '#1f77b4', dark: '#1f77b4' })
})

test('characters that XML does not allow are removed', () => {
  expect(withoutInvalidXml('a\u0000\u001b\t\n\ud800b\ud83c\udf88\udc00\uffff')).toBe('a\t\nb\ud83c\udf88')
})
