// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { buildTree } from '../../lib/examples/examples'
import { serverPath } from '../../lib/paths'
import { render } from '../../../tests/render'
import { FileTree } from './FileTree'

const FILES = ['public/logo.svg', 'src/lib/time.ts', 'src/main.ts', 'index.html', 'package.json']

async function tree() {
  const onOpen = vi.fn<(file: string) => void>()
  const entries = buildTree(FILES)
  await render(<FileTree label="Files" entries={entries} file="src/main.ts" href={(file) => serverPath(`/${file}`)} onOpen={onOpen} />)
  return { onOpen, list: screen.getByRole('tree', { name: 'Files' }) }
}

function rows(): (string | null)[] {
  return screen.getAllByRole('treeitem').map((row) => row.textContent)
}

test('the folders of the open file are open, the others closed', async () => {
  await tree()
  expect(rows()).toEqual(['public', 'src', 'lib', 'main.ts', 'index.html', 'package.json'])
  expect(screen.getByRole('treeitem', { name: 'main.ts' }).getAttribute('aria-current')).toBe('page')
})

test('the tree is one stop of the Tab key: the open file', async () => {
  await tree()
  const stops = screen.getAllByRole('treeitem').filter(({ tabIndex }) => tabIndex === 0)
  expect(stops.map(({ textContent }) => textContent)).toEqual(['main.ts'])
})

test('arrow keys move the focus, open folders and close them', async () => {
  const { list } = await tree()
  fireEvent.keyDown(list, { key: 'ArrowUp' })
  expect(document.activeElement?.textContent).toBe('lib')
  fireEvent.keyDown(list, { key: 'ArrowRight' })
  expect(rows()).toContain('time.ts')
  fireEvent.keyDown(list, { key: 'ArrowLeft' })
  expect(rows()).not.toContain('time.ts')
})

test('a letter moves to the next row that begins with it', async () => {
  const { list } = await tree()
  fireEvent.keyDown(list, { key: 'p' })
  expect(document.activeElement?.textContent).toBe('package.json')
})

test('Enter opens the file, a click on a folder its rows', async () => {
  const { list, onOpen } = await tree()
  fireEvent.keyDown(list, { key: 'End' })
  fireEvent.keyDown(list, { key: 'Enter' })
  expect(onOpen).toHaveBeenCalledExactlyOnceWith('package.json')
  fireEvent.click(screen.getByRole('treeitem', { name: 'public' }))
  expect(rows()).toContain('logo.svg')
})

test('an asterisk opens the folders beside the row', async () => {
  const { list } = await tree()
  fireEvent.keyDown(list, { key: 'Home' })
  fireEvent.keyDown(list, { key: '*' })
  expect(rows().slice(0, 2)).toEqual(['public', 'logo.svg'])
})

test('a click with a modifier key is left to the browser', async () => {
  const { onOpen } = await tree()
  fireEvent.click(screen.getByRole('treeitem', { name: 'index.html' }), { ctrlKey: true })
  expect(onOpen).not.toHaveBeenCalled()
})
