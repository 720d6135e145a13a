// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { DEFAULT_WIDTH, MAX_WIDTH, MIN_WIDTH, STEP, TREE_KEY } from '../../lib/examples/treeWidth'
import { render, storage } from '../../../tests/render'
import { Splitter } from './Splitter'

async function splitter(): Promise<HTMLElement> {
  await render(<Splitter controls="tree" />)
  return screen.getByRole('separator', { name: 'Width of the file tree' })
}

test.each([
  ['ArrowRight', DEFAULT_WIDTH + STEP],
  ['ArrowLeft', DEFAULT_WIDTH - STEP],
  ['Home', MIN_WIDTH],
  ['End', MAX_WIDTH],
  ['Enter', DEFAULT_WIDTH],
])('%s sets the width, stores it and applies it to the page', async (key, width) => {
  const handle = await splitter()
  fireEvent.keyDown(handle, { key })
  expect(handle.getAttribute('aria-valuenow')).toBe(`${width}`)
  expect(storage.get(TREE_KEY)).toBe(`${width}`)
  expect(document.documentElement.style.getPropertyValue('--tree')).toBe(`${width}px`)
})

test('a stored width is used, and a double click restores the default', async () => {
  storage.set(TREE_KEY, '400')
  const handle = await splitter()
  expect(handle.getAttribute('aria-valuenow')).toBe('400')
  fireEvent.doubleClick(handle)
  expect(handle.getAttribute('aria-valuenow')).toBe(`${DEFAULT_WIDTH}`)
})

test('a pointer drags the splitter while it is captured', async () => {
  const handle = await splitter()
  fireEvent.pointerMove(handle, { pointerId: 1, clientX: 320 })
  expect(handle.getAttribute('aria-valuenow')).toBe(`${DEFAULT_WIDTH}`)
  handle.hasPointerCapture = () => true
  fireEvent.pointerMove(handle, { pointerId: 1, clientX: 320 })
  expect(handle.getAttribute('aria-valuenow')).toBe('320')
})
