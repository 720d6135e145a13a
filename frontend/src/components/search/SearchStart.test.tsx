// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FAVORITES, RECENT } from '../../lib/search/search'
import { render, storage } from '../../../tests/render'
import { SearchStart } from './SearchStart'

const nothing = () => undefined

const PAGE = { url: '/atlas/latest/docs/overview', title: 'Overview', library: 'atlas' }

test('a recent page can be saved as a favorite', async () => {
  storage.set(RECENT, JSON.stringify([PAGE]))
  const onRemoved = vi.fn<() => void>()
  await render(<SearchStart examples={[]} onTry={nothing} close={nothing} onRemoved={onRemoved} />)
  fireEvent.click(screen.getByRole('button', { name: 'Add Overview to favorites' }))
  expect(JSON.parse(storage.get(FAVORITES) ?? '')).toEqual([PAGE])
  expect(within(screen.getByRole('region', { name: 'Favorites' })).getByRole('link', { name: 'Overview' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Recent' })).toBeNull()
  expect(onRemoved).toHaveBeenCalledOnce()
})

test('a recent page can be removed', async () => {
  storage.set(RECENT, JSON.stringify([PAGE]))
  await render(<SearchStart examples={[]} onTry={nothing} close={nothing} onRemoved={nothing} />)
  fireEvent.click(screen.getByRole('button', { name: 'Remove Overview' }))
  expect(screen.queryByRole('link', { name: 'Overview' })).toBeNull()
  expect(JSON.parse(storage.get(RECENT) ?? '')).toEqual([])
})

test('storage with something else in it counts as empty', async () => {
  storage.set(RECENT, '{"not": "a list"}')
  await render(<SearchStart examples={[]} onTry={nothing} close={nothing} onRemoved={nothing} />)
  expect(screen.queryByRole('region')).toBeNull()
})
