import { beforeAll, describe, expect, test } from 'vitest'
import type { Checker } from './checker.ts'
import type { BlockCheck } from './messages.ts'
import { block, checkCode, checkPage, page, testChecker } from './testPackage.ts'

let checker: Checker
beforeAll(() => {
  checker = testChecker()
})

const IMPORT = `import { layTiles } from '@acme/tiles'\n`
const summary = (check: BlockCheck) => check.findings.map((one) => [one.line, one.kind, one.name, one.suggestion])

describe('findings', () => {
  test('right code has none', () => {
    expect(checkCode(checker, `${IMPORT}const floor = layTiles({ gap: 4 })\nfloor.place({ id: 'a', size: 1 })`)).toMatchObject({
      verdict: 'right',
      findings: [],
    })
  })

  test.each([
    ['an unknown option', `${IMPORT}layTiles({ gapp: 4 })`, [[2, 'unknown_property', 'gapp', 'gap']]],
    ['a missing export', `import { layTile } from '@acme/tiles'`, [[1, 'missing_export', 'layTile', 'layTiles']]],
    ['a missing entry', `import { a } from '@acme/tiles/core'\n${IMPORT}layTiles({})`, [[1, 'wrong_import', '@acme/tiles/core', '']]],
    ['a missing member', `${IMPORT}layTiles({}).plase()`, [[2, 'unknown_property', 'plase', 'place']]],
    ['a missing member that is destructured', `${IMPORT}const { tile } = layTiles({})`, [[2, 'unknown_property', 'tile', 'tiles']]],
    ['too many arguments', `${IMPORT}layTiles({}, 4)`, [[2, 'wrong_argument', 'layTiles', '']]],
    ['a literal that an option does not take', `${IMPORT}layTiles({ gap: '4px' })`, [[2, 'wrong_argument', 'gap', '']]],
    ['a literal that a function does not take', `${IMPORT}layTiles('a')`, [[2, 'wrong_argument', 'layTiles', '']]],
    ['an attribute', `import { TileView } from '@acme/tiles'\n<TileView tile={tile} onClik={f} />`, [[2, 'unknown_property', 'onClik', 'onClick']]],
    ['a deprecated member', `import { Floor } from '@acme/tiles'\nnew Floor().put(tile)`, [[2, 'deprecated', 'put', '']]],
    ['a missing option', `import { useTable } from '@acme/tiles'\nuseTable({})`, [[2, 'missing_property', 'rows', '']]],
    ['complete code that does not parse', `${IMPORT}layTiles({ gap: 4 ))`, [[2, 'syntax', '', '']]],
  ])('%s', (_, code, expected) => {
    const check = checkCode(checker, code)
    expect(summary(check)).toEqual(expected)
    expect(check.verdict).toBe('wrong')
  })

  test('name the place in characters of the block', () => {
    const [found] = checkCode(checker, `${IMPORT}\nlayTiles({\n  color: 'red', gapp: 4,\n})`).findings
    expect(found).toMatchObject({ line: 4, column: 17, length: 4, package: '@acme/tiles', message: '`gapp` is no option of `layTiles`.' })
  })

  test('names that an application may register are none', () => {
    expect(checkCode(checker, `${IMPORT}layTiles({ order: 'spiral' })`).findings).toEqual([])
    expect(summary(checkCode(checker, `${IMPORT}layTiles({ order: 4 })`))).toEqual([[2, 'wrong_argument', 'order', '']])
  })

  test('members of types of the page are none', () => {
    expect(checkCode(checker, `${IMPORT}const own: { a: string } = x\nown.b\nlayTiles({})`).verdict).toBe('right')
  })

  test('members that the page adds to a package are none', () => {
    const code = `import { TileMeta } from '@acme/tiles'\ndeclare module '@acme/tiles' { interface TileMeta { owner: string } }\nconst meta: TileMeta = { owner: 'a' }\nmeta.owner`
    expect(checkCode(checker, code).findings).toEqual([])
  })
})

describe('completion', () => {
  test.each([
    ['code that is left out', `layTiles({ gap: 4, ... })\nfunction lay() { ... }\nconst floor = ...`],
    ['an import that the page showed before', `layTiles({ gap: 4 })`],
    ['an object without a statement', `{\n  floor: layTiles({ gap: 4 }),\n}`],
    ['properties without an object', `floor: layTiles({ gap: 4 }),\nsize: 4,`],
    ['members of a class', `floor = layTiles({ gap: 4 })\n\nlay(): void {\n  this.floor.place(tile)\n}`],
    ['elements beside each other', `<p onClick={() => layTiles({})} />\n<p />`],
    ['alternatives of the same name', `const floor = layTiles({ gap: 4 })\n// or\nconst floor = layTiles({ gap: 8 })`],
    ['unknown names and types', `const tile: MyTile<string> = make(useMine())\nlayTiles({ onPlaced: () => report(tile) })`],
  ])('%s', (_, code) => {
    expect(checkCode(checker, `${IMPORT}layTiles({})`, code)).toMatchObject({ verdict: 'right', findings: [] })
  })

  test('an alternative is checked, too', () => {
    expect(summary(checkCode(checker, `${IMPORT}const a = layTiles({ gap: 4 })\n\nconst a = layTiles({ gab: 8 })`))).toEqual([
      [4, 'unknown_property', 'gab', 'gap'],
    ])
  })

  test('names of earlier blocks have their types', () => {
    expect(summary(checkCode(checker, `${IMPORT}const floor = layTiles({})`, 'floor.plase(tile)'))).toEqual([
      [1, 'unknown_property', 'plase', 'place'],
    ])
  })

  test('an instance is typed by its name', () => {
    expect(summary(checkCode(checker, 'floor.plase(tile)'))).toEqual([[1, 'unknown_property', 'plase', 'place']])
  })

  test('a name that a function makes of another type is not typed', () => {
    expect(checkCode(checker, 'table.plase(tile)')).toMatchObject({ verdict: 'not_checkable', findings: [] })
  })

  test('imports that a block lacks are named', () => {
    const check = checkCode(checker, `${IMPORT}import type { Tile } from '@acme/tiles'`, `const tile: Tile = a\nlayTiles({})`)
    expect(check.missing_imports).toEqual([`import { type Tile, layTiles } from '@acme/tiles'`])
  })

  test('scripts of components keep their places', () => {
    const code = `<script setup lang="ts">\n${IMPORT}layTiles({ gapp: 1 })\n</script>\n\n<template>\n  <p>...</p>\n</template>`
    expect(summary(checkCode(checker, block(code, { language: 'vue' })))).toEqual([[3, 'unknown_property', 'gapp', 'gap']])
  })

  test('removed lines of a difference are left out', () => {
    expect(checkCode(checker, block(`${IMPORT}layTiles({ gapp: 1 })\nlayTiles({ gap: 1 })`, { removed: [1] })).verdict).toBe('right')
  })

  test('a fragment is not checkable', () => {
    expect(checkCode(checker, 'layTiles({ gap: 4 }').verdict).toBe('not_checkable')
    expect(checkCode(checker, 'const a = 1')).toMatchObject({ verdict: 'not_checkable', reason: 'uses nothing of the packages' })
  })
})

describe('code that is wrong on purpose', () => {
  test.each([
    ['a comment that ignores the block', block(`// @kinfolk-ignore: shows the next version\n${IMPORT}layTiles({ gapp: 4 })`), 'ignored'],
    ['a comment that expects the error', block(`${IMPORT}// @ts-expect-error no such option\nlayTiles({ gapp: 4 })`), 'right'],
    ['a comment', block(`${IMPORT}// ❌ this is wrong\nlayTiles({ gapp: 4 })`), 'not_checkable'],
    ['the sentence before', block(`${IMPORT}layTiles({ gapp: 4 })`, { before: 'Tiles had gaps. The following option was removed:' }), 'not_checkable'],
    ['the heading', block(`${IMPORT}layTiles({ gapp: 4 })`, { heading: 'Renamed options' }), 'not_checkable'],
  ])('%s', (_, code, verdict) => {
    expect(checkCode(checker, code)).toMatchObject({ verdict, findings: [] })
  })

  test('a page on migration', () => {
    const checked = checkPage(checker, page([block(`${IMPORT}layTiles({ gapp: 4 })`)], { path: 'guides/migrating-to-v2' }))
    expect(checked.blocks[0]).toMatchObject({ verdict: 'not_checkable', findings: [] })
  })

  test('a reason is kept', () => {
    expect(checkCode(checker, '// @kinfolk-ignore: of the next version').reason).toBe('of the next version')
  })

  test('a page that calls a name deprecated may use it', () => {
    const code = block(`import { Floor } from '@acme/tiles'\nnew Floor().put(tile)`)
    expect(checkPage(checker, page([code], { text: 'The method `put` is deprecated.' })).blocks[0]?.verdict).toBe('right')
  })
})

describe('names', () => {
  test('have their symbols, with options', () => {
    const code = `${IMPORT}layTiles({ gap: 4 })`
    const checked = checkPage(checker, page([block(code)]))
    const names = checked.blocks[0]?.names.map((one) => [code.slice(one.start, one.start + one.length), checked.symbols[one.symbol]])
    expect(names).toMatchObject([
      ['layTiles', { kind: 'function', signature: 'function layTiles(options: TileOptions): Floor', summary: 'Lays tiles on a floor.' }],
      ['layTiles', { options: [{ name: 'gap', type: 'number', summary: 'Space between tiles.', is_optional: true }, { name: 'color' }, { name: 'order' }, { name: 'onPlaced' }] }],
      ['gap', { kind: 'property', owner: 'TileOptions', signature: 'gap?: number' }],
    ])
  })

  test('documented members of an API reference count', () => {
    const checked = checkPage(checker, page([block('gap?: number'), block('nope?: number')], { path: 'api/tiles', title: 'TileOptions' }))
    expect(checked.blocks.map((one) => one?.verdict)).toEqual(['right', 'not_checkable'])
  })

  test('of all exports are listed with members', () => {
    const found = checker.exports(['@acme/tiles'])
    expect(found.map((one) => [one.symbol.owner, one.symbol.name])).toEqual(
      expect.arrayContaining([['', 'layTiles'], ['', 'Floor'], ['Floor', 'place'], ['TileOptions', 'gap']]),
    )
    expect(found.find((one) => one.symbol.name === 'put')?.symbol.deprecated).toBe('Use `place` instead.')
  })
})

test('blocks of other languages are null', () => {
  expect(checkPage(checker, page([block('npm i', { language: 'sh' }), null])).blocks).toEqual([null, null])
})
