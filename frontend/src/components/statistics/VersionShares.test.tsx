// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { VersionAdoption } from '../../api/generated'
import { adoption } from '../../../tests/comparisonSamples'
import { renderComparison } from '../../../tests/renderComparison'
import { VersionShares } from './VersionShares'

const versions = () => vi.fn<() => Promise<VersionAdoption>>().mockResolvedValue({ ...adoption, package: 'maps' })

test('shares of the last week are shown with those of the first', async () => {
  await renderComparison(<VersionShares first={{ name: 'atlas', versions: adoption }} />)
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['270% from 60%', '130% from 40%'])
  expect(screen.getByText(/since/).textContent).toContain('since Feb 3, 2025')
})

test('the versions of another package are loaded when it is chosen', async () => {
  const user = userEvent.setup()
  const load = versions()
  await renderComparison(<VersionShares first={{ name: 'atlas', versions: adoption }} />, { answers: { 'npm.versions': load } })
  expect(load).not.toHaveBeenCalled()
  await user.selectOptions(screen.getByLabelText('Package'), 'maps')
  await waitFor(() => expect(load).toHaveBeenCalledWith({ name: 'maps' }))
  expect(await screen.findByRole('heading', { name: 'Versions' })).toBeTruthy()
})

test('nothing is shown or loaded where the server found no recorded week', async () => {
  const load = versions()
  await renderComparison(<VersionShares first={{ name: 'atlas', versions: null }} />, { answers: { 'npm.versions': load } })
  expect(screen.queryByRole('heading')).toBeNull()
  expect(load).not.toHaveBeenCalled()
})
