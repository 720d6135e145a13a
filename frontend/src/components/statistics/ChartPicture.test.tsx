import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ComparisonChart } from '../../api/generated'
import { chart, series } from '../../../tests/comparisonSamples'
import { DESIGNS, layOut } from '../../lib/statistics/chart/picture'
import { textWidth } from '../../lib/statistics/chart/textWidth'
import type { PictureSize, PictureTheme } from './ChartPicture'
import { ChartPicture } from './ChartPicture'

// `Object.keys` loses the type of the keys.
const SIZES = Object.keys(DESIGNS) as PictureSize[]

function picture(about: Partial<ComparisonChart> = {}, theme: PictureTheme = 'light', size: PictureSize = 'full'): string {
  return renderToStaticMarkup(<ChartPicture chart={{ ...chart, ...about }} theme={theme} size={size} />)
}

test('a picture has the lines of all series, and their names', () => {
  const svg = picture()
  expect(svg.match(/class="s\d" stroke="#[0-9a-f]{6}"><path/g)).toHaveLength(2)
  expect(svg).toContain('>atlas</text>')
  expect(svg).toContain('>maps</text>')
})

test('a picture has the corners of the site', () => {
  expect(picture()).toContain(' rx="10"')
  expect(renderToStaticMarkup(<ChartPicture chart={chart} theme="light" size="full" radius={0} />)).toContain(' rx="0"')
})

test('a picture has its title and description for screen readers', () => {
  expect(picture()).toContain(`<title id="title">${chart.title}</title><desc id="description">${chart.summary}</desc>`)
})

test('lines of the legend have the classes of the lines in the plot', () => {
  expect(picture({}, 'auto').match(/class="s0"/g)).toHaveLength(2)
  expect(picture({}, 'auto')).toMatch(/\.s0\{stroke:#[0-9a-f]{6}\}/)
})

test.each(SIZES)('all parts of a picture of size %s are within it', (size) => {
  const many = Array.from({ length: 32 }, (_, at) => series(`@organization-${at}/some-package`))
  for (const shown of [many, many.slice(0, 5), many.slice(0, 1), []]) {
    const { design, panels, legend, more, source } = layOut({ ...chart, series: shown, title: 'x vs y '.repeat(40), source: 'z '.repeat(200) }, size)
    const [{ plot, dates, values } = { plot: { x: 0, width: 0, height: 0 }, dates: [], values: [] }] = panels
    expect(plot.height).toBeGreaterThan(design.height * 0.3)
    expect(plot.x + plot.width).toBeLessThanOrEqual(design.width)
    for (const { x, y, text } of [...legend, ...dates, ...(more ? [more] : []), ...(source ? [source] : [])]) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(y).toBeLessThanOrEqual(design.height)
      expect(x + (dates.some((date) => date.text === text) ? textWidth(text, design.text) / 2 : textWidth(text, design.text * 0.9))).toBeLessThanOrEqual(design.width)
    }
    for (const { x, text } of values) expect(x - textWidth(text, design.text)).toBeGreaterThanOrEqual(0)
  }
})

test('a legend without space for all names says how many are left', () => {
  const many = Array.from({ length: 32 }, (_, at) => series(`@organization-${at}/some-package`))
  const { legend, more } = layOut({ ...chart, series: many }, 'full')
  expect(more?.text).toBe(`and ${32 - legend.length} more`)
})

test('a sparkline has no text but the last complete value', () => {
  const svg = picture({}, 'light', 'sparkline')
  expect([...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual(['1.1k'])
})

test('a picture without data says so', () => {
  expect(picture({ series: [] })).toContain('No data to show.')
})

const FACETS = [
  ['pkg', null, 4, 1],
  [null, 'pkg', 1, 4],
  ['pkg', 'pkg', 2, 2],
] as const

test.each(FACETS)('facets %s and %s are panels in %i columns and %i rows', (facetX, facetY, columns, rows) => {
  const shown = ['a', 'b', 'c', 'd'].map((name) => series(name))
  const faceted = { ...chart, comparison: { ...chart.comparison, facetX, facetY }, series: shown }
  const { panels, design, legend } = layOut(faceted, 'full')
  expect(panels.map(({ name, lines }) => [name?.text, lines.length])).toEqual([['a', 1], ['b', 1], ['c', 1], ['d', 1]])
  expect(new Set(panels.map(({ plot }) => plot.x)).size).toBe(columns)
  expect(new Set(panels.map(({ plot }) => plot.y)).size).toBe(rows)
  expect(legend).toEqual([])
  expect(panels.filter(({ dates }) => dates.length > 0)).toHaveLength(columns)
  for (const { plot } of panels) {
    expect(plot.height).toBeGreaterThan(60)
    expect(plot.x + plot.width).toBeLessThanOrEqual(design.width)
    expect(plot.y + plot.height).toBeLessThan(design.height)
  }
  const svg = renderToStaticMarkup(<ChartPicture chart={faceted} theme="auto" size="full" />)
  expect([...svg.matchAll(/<g class="(s\d)"/g)].map(([, name]) => name)).toEqual(['s0', 's1', 's2', 's3'])
})

test('a picture has at most twelve panels', () => {
  const many = Array.from({ length: 32 }, (_, at) => series(`package-${at}`))
  const { panels, subtitle } = layOut({ ...chart, comparison: { ...chart.comparison, facetX: 'pkg', facetY: null }, series: many }, 'card')
  expect(panels).toHaveLength(12)
  expect(subtitle?.text).toContain('and 20 more packages')
})
