// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderComparison } from '../../../tests/renderComparison'
import { HeightHandle } from './HeightHandle'

function Handle() {
  const [dragged, setDragged] = useState<number | null>(null)
  return <HeightHandle controls="chart" dragged={dragged} onDrag={setDragged} />
}

const height = () => Number(screen.getByRole('slider').getAttribute('aria-valuenow'))

test.each([
  ['{ArrowUp}', 410],
  ['{ArrowLeft}', 390],
  ['{PageUp}', 500],
  ['{PageDown}{PageDown}', 300],
  ['{Home}{ArrowDown}', 300],
  ['{End}{ArrowUp}', 2000],
])('keys %s make the chart %i pixels high', async (keys, expected) => {
  const user = userEvent.setup()
  const { searches } = await renderComparison(<Handle />)
  screen.getByRole('slider', { name: 'Height of the chart' }).focus()
  await user.keyboard(keys)
  expect(height()).toBe(expected)
  expect(searches.every(([, how]) => how === 'replace')).toBe(true)
})

test('a key that is pressed as the URL changes keeps its height', async () => {
  const { searches } = await renderComparison(<Handle />)
  const slider = screen.getByRole('slider')
  fireEvent.keyDown(slider, { key: 'ArrowUp' })
  await waitFor(() => expect(searches).toHaveLength(1), { interval: 5 })
  fireEvent.keyDown(slider, { key: 'PageUp' })
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(height()).toBe(510)
})

test('a drag changes the URL once, when it ends', async () => {
  const { searches } = await renderComparison(<Handle />)
  const slider = screen.getByRole('slider')
  fireEvent.pointerDown(slider, { button: 0, clientY: 1000 })
  fireEvent.pointerMove(slider, { clientY: 1020 })
  fireEvent.pointerMove(slider, { clientY: 1053 })
  expect(searches).toEqual([])
  fireEvent.pointerUp(slider, { clientY: 1053 })
  expect(searches).toEqual([[expect.objectContaining({ height: 450 }), 'replace']])
  expect(height()).toBe(450)
})

test('no drag makes the chart lower than its minimum', async () => {
  const { searches } = await renderComparison(<Handle />)
  const slider = screen.getByRole('slider')
  fireEvent.pointerDown(slider, { button: 0, clientY: 1000 })
  fireEvent.pointerUp(slider, { clientY: 100 })
  expect(searches[0]?.[0].height).toBe(300)
})
