import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ComparisonChart } from '../../api/generated'
import { chart, series } from '../../../tests/comparisonSamples'
import { DESIGNS, layOut } from '../../lib/chart/picture'
import { textWidth } from '../../lib/chart/textWidth'
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
    const { design, plot, legend, more, dates, values, source } = layOut({ ...chart, series: shown, title: 'x vs y '.repeat(40), source: 'z '.repeat(200) }, size)
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
  expect(picture({ series: [] })).toContain('There is no data to draw.')
})
