import { expect, test } from 'vitest'
import { chart } from '../../../tests/comparisonSamples'
import { shell } from '../../../tests/samples'
import { comparisonHead } from './comparisonHead'
import { paths } from '../paths'

const queried = { ...chart, query: 'range=30-days' }

test('the title names the packages and the site', () => {
  expect(comparisonHead(chart, shell).meta).toContainEqual({ title: 'atlas vs maps | npm downloads | Acme' })
})

test('the canonical URL has the canonical query, unless the page has a path of its own', () => {
  const canonical = (links: { rel?: string; href?: string }[]) => links.find(({ rel }) => rel === 'canonical')?.href
  expect(canonical(comparisonHead(queried, shell).links)).toBe('https://acme.example/stats/npm?range=30-days')
  expect(canonical(comparisonHead(chart, shell, paths.namedStatistics('atlas-vs-@acme/maps')).links)).toBe(
    'https://acme.example/stats/npm/atlas-vs-@acme/maps',
  )
})

test('the picture, the feed and the exports have the query', () => {
  const { meta, links } = comparisonHead(queried, shell)
  expect(meta).toContainEqual({ property: 'og:image', content: 'https://acme.example/stats/npm.png?size=card&range=30-days' })
  expect(links.filter(({ rel }) => rel === 'alternate').map(({ href }) => href)).toEqual([
    '/stats/npm.atom?range=30-days',
    '/stats/npm.csv?range=30-days',
    '/stats/npm.json?range=30-days',
  ])
})

test('search engines get a data set of real counts, and no page that is not indexable', () => {
  const robots = { name: 'robots', content: 'noindex' }
  const types = (shown: typeof chart) => JSON.stringify(comparisonHead(shown, shell).meta)
  expect(types(chart)).toContain('"@type":"Dataset"')
  expect(types({ ...chart, sample: true })).not.toContain('Dataset')
  expect(comparisonHead(chart, shell).meta).not.toContainEqual(robots)
  expect(comparisonHead({ ...chart, indexable: false }, shell).meta).toContainEqual(robots)
})
