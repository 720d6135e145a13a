// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { ExamplePanel } from '../../lib/examples/examples'
import { serverPath } from '../../lib/paths'
import { render } from '../../../tests/render'
import { ExampleTabs } from './ExampleTabs'

function Sample() {
  const [panel, setPanel] = useState<ExamplePanel>('code')
  return <ExampleTabs panel={panel} href={(name) => serverPath(`/${name}`)} choose={setPanel} />
}

function selected(): string | null {
  return screen.getByRole('tab', { selected: true }).textContent
}

test.each([
  ['ArrowRight', 'Sandbox'],
  ['ArrowLeft', 'Sandbox'],
  ['End', 'Sandbox'],
  ['Home', 'Code'],
])('%s on the first tab selects %s and focuses it', async (key, label) => {
  await render(<Sample />)
  fireEvent.keyDown(screen.getByRole('tab', { name: 'Code' }), { key })
  expect(selected()).toBe(label)
  expect(document.activeElement?.textContent).toBe(label)
})

test('a click selects a tab; one with a modifier key is left to the browser', async () => {
  await render(<Sample />)
  fireEvent.click(screen.getByRole('tab', { name: 'Sandbox' }), { metaKey: true })
  expect(selected()).toBe('Code')
  fireEvent.click(screen.getByRole('tab', { name: 'Sandbox' }))
  expect(selected()).toBe('Sandbox')
})

test('only the selected tab is a stop of the Tab key', async () => {
  await render(<Sample />)
  expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([0, -1])
})
