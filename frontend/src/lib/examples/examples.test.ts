import { expect, test } from 'vitest'
import { sandboxUrl, parseExampleSearch, resolveFile, parentFolders, listRows, formatSize, readTreeKey, buildTree } from './examples'

const FILES = ['.vscode/settings.json', 'src/app/deep/er/one.ts', 'src/app/two.ts', 'src/main.tsx', '.gitignore', 'README.md']
const tree = buildTree(FILES)

function seen(...open: string[]) {
  return listRows(tree, new Set(open))
}

test('a tree has every file at any depth, in the order they were given', () => {
  const all = seen('.vscode', 'src', 'src/app', 'src/app/deep', 'src/app/deep/er')
  expect(all.filter((row) => row.open === null).map((row) => row.path)).toEqual(FILES)
})

test('what a closed folder holds is not seen', () => {
  expect(seen().map((row) => row.name)).toEqual(['.vscode', 'src', '.gitignore', 'README.md'])
  expect(seen('src').map((row) => `${row.level}${row.name}`)).toEqual([
    '1.vscode',
    '1src',
    '2app',
    '2main.tsx',
    '1.gitignore',
    '1README.md',
  ])
})

test('a row knows its place among its siblings', () => {
  expect(seen('src').map((row) => `${row.position}/${row.siblings}`)).toEqual(['1/4', '2/4', '1/2', '2/2', '3/4', '4/4'])
})

test('a folder leads to the first file in it, a file to itself', () => {
  expect(seen().map((row) => row.leadsTo)).toEqual([FILES[0], FILES[1], '.gitignore', 'README.md'])
})

test('folders of the same name in different places are different folders', () => {
  const rows = listRows(buildTree(['a/x/1.ts', 'b/x/2.ts']), new Set(['a', 'a/x', 'b']))
  expect(rows.map((row) => row.path)).toEqual(['a', 'a/x', 'a/x/1.ts', 'b', 'b/x'])
})

test('a file lies in its folders, the outermost first', () => {
  expect(parentFolders('src/app/deep/one.ts')).toEqual(['src', 'src/app', 'src/app/deep'])
  expect(parentFolders('README.md')).toEqual([])
})

test.each([
  ['ArrowDown', 'src', { to: 2 }],
  ['ArrowDown', 'README.md', { to: 5 }],
  ['ArrowUp', 'src', { to: 0 }],
  ['ArrowUp', '.vscode', { to: 0 }],
  ['Home', 'README.md', { to: 0 }],
  ['End', '.vscode', { to: 5 }],
  ['ArrowRight', '.vscode', { toggle: 0 }],
  ['ArrowRight', 'src', { to: 2 }],
  ['ArrowRight', 'README.md', null],
  ['ArrowLeft', 'src', { toggle: 1 }],
  ['ArrowLeft', 'src/main.tsx', { to: 1 }],
  ['ArrowLeft', 'README.md', null],
  ['m', 'src', { to: 3 }],
  ['R', '.gitignore', { to: 5 }],
  ['.', 'README.md', { to: 0 }],
  ['z', 'src', null],
  ['Tab', 'src', null],
])('%s on %s leads to %o', (key, path, step) => {
  const rows = seen('src')
  const at = rows.findIndex((row) => row.path === path)
  expect(readTreeKey(rows, at, key)).toEqual(step)
})

test.each([
  [{ path: 'a/b', panel: 'sandbox' }, { path: 'a/b', panel: 'sandbox' }],
  [{ path: 17, panel: 'nonsense' }, {}],
  [{ path: '', panel: 'code' }, {}],
  [{ path: ['a'], panel: ['sandbox'] }, {}],
  [{}, {}],
])('of the search parameters %o what makes sense is %o', (search, wanted) => {
  expect(JSON.parse(JSON.stringify(parseExampleSearch(search)))).toEqual(wanted)
})

test.each([
  ['examples/react/one/src/a.ts', 'src/a.ts'],
  ['examples/react/one/gone.ts', 'gone.ts'],
  [undefined, 'main.tsx'],
  ['examples/react/two/src/a.ts', 'main.tsx'],
  ['examples/react/one/../two/a.ts', 'main.tsx'],
  ['examples/react/one/', 'main.tsx'],
  ['src/a.ts', 'main.tsx'],
])('the path %s opens %s', (path, file) => {
  expect(resolveFile({ root: 'examples/react/one', start: 'main.tsx' }, path)).toBe(file)
})

test.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [3904, '3.9 kB'],
  [1_200_000, '1.2 MB'],
])('%i is %s', (bytes, words) => {
  expect(formatSize(bytes)).toBe(words)
})

test('a sandbox opens with the file and in the theme of the reader', () => {
  const address = new URL(sandboxUrl('https://stackblitz.com/github/a/b?embed=1', 'dark', 'src/$id.tsx'))
  expect(Object.fromEntries(address.searchParams)).toEqual({ embed: '1', theme: 'dark', file: 'src/$id.tsx' })
})
