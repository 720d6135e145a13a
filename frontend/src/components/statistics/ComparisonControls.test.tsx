// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { chart, comparison } from '../../../tests/comparisonSamples'
import { renderComparison } from '../../../tests/renderComparison'
import { ComparisonControls } from './ComparisonControls'

const options = (label: string) => [...screen.getByLabelText(label).querySelectorAll('option')].map(({ textContent }) => textContent)

test('a chosen range changes the interval with it, in one entry of the history', async () => {
  const user = userEvent.setup()
  const { searches } = await renderComparison(<ComparisonControls />)
  await user.selectOptions(screen.getByLabelText('Time range'), '7 days')
  expect(searches).toEqual([[expect.objectContaining({ range: '7-days', binningOption: 'daily' }), 'push']])
  expect(screen.getByLabelText('Interval')).toHaveProperty('value', 'daily')
  expect(options('Interval')).toEqual(['Daily'])
})

test('measures without data are not offered', async () => {
  await renderComparison(<ComparisonControls />)
  expect(options('Measure')).toContain('Share of npm')
  expect(options('Measure')).not.toContain('GitHub stars')
})

test('rarer options are counted where they are folded', async () => {
  const user = userEvent.setup()
  const { searches } = await renderComparison(<ComparisonControls />)
  await user.click(screen.getByLabelText(/Complete bins only/))
  await user.selectOptions(screen.getByLabelText('Facet X'), 'Package')
  expect(searches.map(([search]) => search)).toMatchObject([{ showDataMode: 'complete' }, { showDataMode: 'complete', facetX: 'pkg' }])
  expect(screen.getByText('2', { exact: false, selector: '.more-options-count' })).toBeTruthy()
})

test('an index makes several packages the baseline and adds those that are missing', async () => {
  const user = userEvent.setup()
  const { searches } = await renderComparison(<ComparisonControls />)
  await user.selectOptions(screen.getByLabelText('Baseline'), 'Everything')
  expect(searches[0]?.[0]).toMatchObject({ baseline: ['maps', 'globe'] })
  await user.selectOptions(screen.getByLabelText('Baseline'), 'None')
  expect(searches[1]?.[0]).not.toHaveProperty('baseline')
})

test('the form carries what has no control, so that it works without a script', async () => {
  const based = { ...chart, comparison: { ...comparison, baseline: ['maps'], height: 400 } }
  await renderComparison(<ComparisonControls />, { chart: based })
  const form = document.querySelector('form')
  const data = new FormData(form ?? undefined)
  expect(form?.getAttribute('action')).toBe('/stats/npm')
  expect(JSON.parse(`${data.get('packageGroups')}`)).toHaveLength(2)
  expect(data.get('baseline')).toBe('maps')
  expect(data.get('range')).toBe('365-days')
})
