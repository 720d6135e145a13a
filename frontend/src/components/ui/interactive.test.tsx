// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '../../../tests/render'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { Menu } from './Menu'
import { Select } from './Select'
import { Tabs } from './Tabs'

const SIZES = [
  { value: 'small', label: 'Small' },
  { value: 'large', label: 'Large' },
] as const

function SizeSelect() {
  const [size, setSize] = useState<(typeof SIZES)[number]['value']>('small')
  return <Select label="Size" options={SIZES} value={size} onChange={setSize} />
}

test('Select shows the value that the reader chooses', async () => {
  const user = userEvent.setup()
  await render(<SizeSelect />)
  const trigger = screen.getByRole('combobox', { name: 'Size' })
  expect(trigger.textContent).toBe('Small')
  await user.click(trigger)
  await user.click(await screen.findByRole('option', { name: 'Large' }))
  await waitFor(() => expect(trigger.textContent).toBe('Large'))
})

test('Menu runs the action that the reader chooses, and not a disabled one', async () => {
  const user = userEvent.setup()
  const pin = vi.fn<() => void>()
  const remove = vi.fn<() => void>()
  await render(
    <Menu
      trigger={<Button>Actions</Button>}
      actions={[
        { label: 'Pin', act: pin },
        { label: 'Remove', act: remove, disabled: true },
      ]}
    />,
  )
  await user.click(screen.getByRole('button', { name: 'Actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Pin' }))
  expect(pin).toHaveBeenCalledOnce()
  expect(remove).not.toHaveBeenCalled()
})

test('Tabs follow the arrow keys and show one panel', async () => {
  const user = userEvent.setup()
  await render(
    <Tabs
      label="Views"
      tabs={[
        { id: 'one', label: 'First', content: 'First panel' },
        { id: 'two', label: 'Second', content: 'Second panel' },
      ]}
    />,
  )
  await user.click(screen.getByRole('tab', { name: 'First' }))
  await user.keyboard('{ArrowRight}{Enter}')
  expect(screen.getByRole('tab', { name: 'Second' }).getAttribute('aria-selected')).toBe('true')
  expect(screen.getByRole('tabpanel').textContent).toBe('Second panel')
})

test('Dialog opens from its trigger and closes with Escape and with its button', async () => {
  await render(
    <Dialog trigger={<Button>Open</Button>} title="Settings">
      Content
    </Dialog>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  const dialog = await screen.findByRole('dialog', { name: 'Settings' })
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
