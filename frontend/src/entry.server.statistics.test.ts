// The pages of npm statistics, rendered on the server.
import { expect, test } from 'vitest'
import { adoption, chart, choices } from '../tests/comparisonSamples'
import type { Answer } from '../tests/renderPage'
import { html, ok, renderWithSamples } from '../tests/renderPage'

const ANSWERS: Record<string, Answer> = {
  'npm.choices': () => ok(choices),
  'npm.comparison': () => ok(chart),
  'npm.versions': () => ok(adoption),
}

/** The data of each call of a function, in order. */
function record(id: string): { answers: Record<string, Answer>; inputs: unknown[] } {
  const inputs: unknown[] = []
  const answer: Answer = (data) => {
    inputs.push(data)
    return ANSWERS[id]?.(data) ?? ok(null)
  }
  return { answers: { ...ANSWERS, [id]: answer }, inputs }
}

test('a comparison queries the chart and the choices in one round, then the versions of the first package', async () => {
  const { rounds, outcome } = await renderWithSamples('/stats/npm', ANSWERS)
  expect(rounds.map((round) => round.toSorted())).toEqual([['site.shell'], ['npm.choices', 'npm.comparison'], ['npm.versions']])
  expect(outcome).toMatchObject({ type: 'html', status: 200 })
})

test('the server gets the query as it is, without parameters of others', async () => {
  const { answers, inputs } = record('npm.comparison')
  await renderWithSamples('/stats/npm?range=nonsense&utm_source=mail&height=1e9&packageGroups=%5B%22a', answers)
  expect(inputs).toEqual([{ search: 'packageGroups=%5B%22a&range=nonsense&height=1000000000', packages: '' }])
})

test('a path names packages, also with a scope', async () => {
  const { answers, inputs } = record('npm.comparison')
  const { outcome } = await renderWithSamples('/stats/npm/react-vs-@angular/core', answers)
  expect(inputs).toEqual([{ search: '', packages: 'react-vs-@angular/core' }])
  expect(outcome).toMatchObject({
    html: expect.stringContaining('<link rel="canonical" href="https://acme.example/stats/npm/react-vs-@angular/core"/>'),
  })
})

test('the page has the chart, the figures, the versions and popular comparisons', async () => {
  const page = await html('/stats/npm', ANSWERS)
  for (const words of ['atlas vs maps</h1>', 'class="chart"', '2,900', 'Downloads by major version', 'Globes', 'npm counted no downloads']) {
    expect(page).toContain(words)
  }
  expect(page).not.toContain('Sample data')
  expect(page).toContain('<link rel="canonical" href="https://acme.example/stats/npm"/>')
})

test('a page without recorded versions does not mention them', async () => {
  const missing: Answer = () => ({ kind: 'not_found', message: 'No weeks are recorded' })
  const { outcome } = await renderWithSamples('/stats/npm', { ...ANSWERS, 'npm.versions': missing })
  expect(outcome).toMatchObject({ type: 'html', status: 200, html: expect.not.stringContaining('Downloads by major version') })
})

test('sample data is marked', async () => {
  const page = await html('/stats/npm', { ...ANSWERS, 'npm.comparison': () => ok({ ...chart, sample: true, indexable: false }) })
  expect(page).toContain('<strong>Sample data.</strong>')
  expect(page).toContain('<meta name="robots" content="noindex"/>')
})

test('the embedded chart has no site around it', async () => {
  const page = await html('/stats/npm/embed?range=30-days', ANSWERS)
  expect(page).toContain('class="chart"')
  expect(page).toContain('target="_parent"')
  expect(page).not.toContain('site-footer')
})

test('the section leads to npm', async () => {
  expect((await renderWithSamples('/stats')).outcome).toMatchObject({ type: 'redirect', status: 301, location: '/stats/npm' })
})

test('a server that cannot answer shows its message', async () => {
  const fault: Answer = () => ({ kind: 'error', code: 'unavailable', message: 'The statistics are away' })
  const { outcome } = await renderWithSamples('/stats/npm', { ...ANSWERS, 'npm.comparison': fault })
  expect(outcome).toMatchObject({ type: 'html', status: 500, html: expect.stringContaining('The statistics are away') })
})
