// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ServerError } from '../../api/call'
import type { ChartSeries, ComparisonChart, ImportStatus, PackageSuggestions } from '../../api/generated'
import { chart, comparison, group, series } from '../../../tests/comparisonSamples'
import { renderComparison } from '../../../tests/renderComparison'
import { PackagePills } from './PackagePills'

function withSeries(about: Partial<ChartSeries>): ComparisonChart {
  const maps = series('maps', { values: [], figures: null, ...about })
  return { ...chart, series: [...chart.series.slice(0, 1), maps] }
}

const names = (search: unknown) =>
  // Written by this test's own page.
  (search as { packageGroups: { packages: { name: string }[] }[] }).packageGroups.map(({ packages }) => packages.map(({ name }) => name).join('+'))

test('a pill shows how many packages its line adds up', async () => {
  await renderComparison(<PackagePills />)
  expect(screen.getByRole('button', { name: /^atlas/, pressed: true }).textContent).toBe('atlas+ 1 more')
})

test('the name of a pill hides its line, the cross removes it', async () => {
  const user = userEvent.setup()
  const { searches } = await renderComparison(<PackagePills />)
  await user.click(screen.getByRole('button', { name: 'maps' }))
  expect(screen.getByRole('button', { name: 'maps' }).getAttribute('aria-pressed')).toBe('false')
  await user.click(screen.getByRole('link', { name: 'Remove maps' }))
  expect(searches.map(([search]) => names(search))).toEqual([['atlas+old-atlas', 'maps'], ['atlas+old-atlas']])
  expect(screen.queryByRole('link', { name: /Remove/ })).toBeNull()
})

test('the cross is a link to the comparison without the package', async () => {
  await renderComparison(<PackagePills />)
  const href = screen.getByRole('link', { name: 'Remove maps' }).getAttribute('href') ?? ''
  expect(decodeURIComponent(href)).toBe('/stats/npm?packageGroups=[{"packages":[{"name":"atlas"},{"name":"old-atlas"}]}]')
})

test('the field offers the text itself first, then packages that the comparison does not have', async () => {
  const user = userEvent.setup()
  const suggestions = vi.fn<() => Promise<PackageSuggestions>>().mockResolvedValue({
    packages: [
      { name: 'maps', description: '', stored: true },
      { name: 'mapsy', description: 'Draws maps', stored: true },
    ],
    complete: true,
  })
  const { searches } = await renderComparison(<PackagePills />, { answers: { 'npm.suggestions': suggestions } })
  await user.click(screen.getByLabelText('Add a package'))
  const field = await screen.findByRole('combobox', { name: 'Add a package' })
  await user.type(field, 'map')
  await screen.findByRole('option', { name: /mapsy/ })
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Use "map"', 'mapsyDraws maps'])
  await user.click(screen.getByRole('option', { name: /mapsy/ }))
  expect(names(searches[0]?.[0])).toEqual(['atlas+old-atlas', 'maps', 'mapsy'])
  expect(field).toHaveProperty('value', '')
})

test('Enter adds a package before the combobox is loaded', async () => {
  const { searches } = await renderComparison(<PackagePills />)
  const field = screen.getByLabelText('Add a package')
  fireEvent.change(field, { target: { value: 'mapsy' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(names(searches[0]?.[0])).toEqual(['atlas+old-atlas', 'maps', 'mapsy'])
  expect(field).toHaveProperty('value', '')
})

test('packages of a search service follow a moment later', async () => {
  const user = userEvent.setup()
  const suggestions = vi
    .fn<() => Promise<PackageSuggestions>>()
    .mockResolvedValueOnce({ packages: [], complete: false })
    .mockResolvedValue({ packages: [{ name: 'two-worlds', description: 'Both', stored: false }], complete: true })
  await renderComparison(<PackagePills />, { answers: { 'npm.suggestions': suggestions } })
  await user.click(screen.getByLabelText('Add a package'))
  await user.type(await screen.findByRole('combobox', { name: 'Add a package' }), 'two wo')
  expect(await screen.findByText('Searching…')).toBeTruthy()
  expect(await screen.findByRole('option', { name: /two-worlds/ })).toBeTruthy()
  expect(suggestions).toHaveBeenCalledTimes(2)
})

test('text that no package can have is not offered', async () => {
  const user = userEvent.setup()
  await renderComparison(<PackagePills />, { answers: { 'npm.suggestions': async () => ({ packages: [], complete: true }) } })
  await user.click(screen.getByLabelText('Add a package'))
  await user.type(await screen.findByRole('combobox', { name: 'Add a package' }), 'two words')
  expect(await screen.findByText('No package has this name.')).toBeTruthy()
  expect(screen.queryByRole('option')).toBeNull()
})

test('packages are added to a line and removed from it', async () => {
  const user = userEvent.setup()
  const { searches } = await renderComparison(<PackagePills />)
  await user.click(screen.getByRole('button', { name: 'More options for atlas' }))
  const popover = await screen.findByRole('dialog', { name: 'atlas' })
  await user.click(within(popover).getByRole('button', { name: /^Counted/ }))
  await user.click(within(popover).getByRole('button', { name: 'Remove old-atlas' }))
  expect(searches[0]?.[0]).toMatchObject({ packageGroups: [{ packages: [{ name: 'atlas' }, { name: 'old-atlas', hidden: true }] }, {}] })
  expect(names(searches[1]?.[0])).toEqual(['atlas', 'maps'])
})

test('a color is reset to that of the server', async () => {
  const user = userEvent.setup()
  const groups = [{ ...group('atlas'), color: '#ff4500' }, group('maps')]
  const { searches } = await renderComparison(<PackagePills />, { chart: { ...chart, comparison: { ...comparison, groups } } })
  await user.click(screen.getByRole('button', { name: 'Color of atlas' }))
  await user.click(await screen.findByRole('button', { name: 'Reset' }))
  expect(searches[0]?.[0]).toMatchObject({ packageGroups: [{ packages: [{ name: 'atlas' }] }, {}] })
  expect(JSON.stringify(searches[0])).not.toContain('color')
  expect(screen.getByRole('button', { name: 'Reset' })).toHaveProperty('disabled', true)
})

test('a package that does not exist says so', async () => {
  await renderComparison(<PackagePills />, { chart: withSeries({ status: 'not-found', message: 'Package "maps" not found on npm' }) })
  expect(screen.getByText('Package "maps" not found on npm')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Fetch/ })).toBeNull()
})

test('the history of a package is fetched when the reader requests it', async () => {
  const user = userEvent.setup()
  const status: ImportStatus = { name: 'maps', state: 'waiting', message: '2 packages are fetched before it.', ahead: 2 }
  const visited = await renderComparison(<PackagePills />, {
    chart: withSeries({ status: 'not-imported', message: 'Not here yet.' }),
    answers: { 'npm.request': async () => status },
  })
  expect(screen.getByText('Not here yet.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Fetch history of maps' }))
  expect(await screen.findByText('2 packages are fetched before it.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Fetch/ })).toBeNull()
  expect(visited.refreshes).toBe(1)
})

test.each(['waiting', 'importing', 'no-data'] as const)('a package that is %s cannot be requested', async (status) => {
  await renderComparison(<PackagePills />, { chart: withSeries({ status, message: 'Why it is not here.' }) })
  expect(screen.getByText('Why it is not here.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Fetch/ })).toBeNull()
})

test('a refused request shows the reason and can be repeated', async () => {
  const user = userEvent.setup()
  await renderComparison(<PackagePills />, {
    chart: withSeries({ status: 'not-imported', message: 'There are no downloads of maps here.' }),
    answers: { 'npm.request': () => Promise.reject(new ServerError('refused', 'At most 3 packages an hour.')) },
  })
  await user.click(screen.getByRole('button', { name: 'Fetch history of maps' }))
  expect(await screen.findByText('At most 3 packages an hour.')).toBeTruthy()
  await waitFor(() => expect(screen.getByRole('button', { name: /^Try again/ })).toHaveProperty('disabled', false))
})
