// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderComparison } from '../../../tests/renderComparison'
import { ComparisonTable } from './ComparisonTable'

const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)

test('the table begins with the largest total', async () => {
  await renderComparison(<ComparisonTable />)
  expect(screen.getByRole('columnheader', { name: 'In this range' }).getAttribute('aria-sort')).toBe('descending')
  expect(names()).toEqual(['atlas', 'maps'])
  expect(screen.getByRole('row', { name: /maps/ }).textContent).toContain('2,900')
})

test('each heading sorts the table, again in the other direction', async () => {
  const user = userEvent.setup()
  await renderComparison(<ComparisonTable />)
  await user.click(screen.getByRole('button', { name: 'Share' }))
  await user.click(screen.getByRole('button', { name: 'Share' }))
  expect(screen.getByRole('columnheader', { name: 'Share' }).getAttribute('aria-sort')).toBe('ascending')
  expect(names()).toEqual(['maps', 'atlas'])
})

test('rows without a figure are last in both directions', async () => {
  const user = userEvent.setup()
  await renderComparison(<ComparisonTable />)
  await user.click(screen.getByRole('button', { name: 'Yearly growth' }))
  expect(names()).toEqual(['maps', 'atlas'])
  await user.click(screen.getByRole('button', { name: 'Yearly growth' }))
  expect(names()).toEqual(['maps', 'atlas'])
})

test('figures that are not known are no zeros', async () => {
  await renderComparison(<ComparisonTable />)
  expect(within(screen.getByRole('row', { name: /atlas/ })).getAllByText('not known')).toHaveLength(2)
  expect(screen.queryByRole('columnheader', { name: 'Stars' })).toBeNull()
})

test('a package is hidden and removed from the table', async () => {
  const user = userEvent.setup()
  const { searches } = await renderComparison(<ComparisonTable />)
  await user.click(screen.getByRole('button', { name: 'Hide maps' }))
  await user.click(screen.getByRole('button', { name: 'Remove atlas' }))
  expect(searches.map(([search]) => search.packageGroups)).toEqual([
    [{ packages: [{ name: 'atlas' }, { name: 'old-atlas' }] }, { packages: [{ name: 'maps', hidden: true }] }],
    [{ packages: [{ name: 'maps', hidden: true }] }],
  ])
})
