// A small package and the least declarations of the language, for tests: they are read in milliseconds.

import { Checker } from './checker.ts'
import type { Block, BlockCheck, Page, PageCheck } from './messages.ts'
import { VirtualFiles } from './virtualFiles.ts'

const LANGUAGE = `
interface Array<T> { length: number; [index: number]: T; map<U>(change: (item: T) => U): U[] }
interface ReadonlyArray<T> { readonly length: number; readonly [index: number]: T }
interface Promise<T> { then<U>(next: (value: T) => U): Promise<U> }
interface Boolean {} interface CallableFunction {} interface Function {} interface IArguments {}
interface NewableFunction {} interface Number { toFixed(): string } interface Object {} interface RegExp {}
interface String { length: number; trim(): string }
interface TemplateStringsArray extends ReadonlyArray<string> {} interface Symbol {} interface PromiseLike<T> {}
type Partial<T> = { [K in keyof T]?: T[K] }
type ReturnType<T extends (...given: any) => any> = T extends (...given: any) => infer R ? R : any
declare const console: { log(...values: any[]): void }
declare namespace JSX { interface IntrinsicElements { div: any; p: any; button: any } interface Element {} }
`

const TYPES = `
/** A tile of a floor. */
export interface Tile { id: string; size: number }
export interface TileOptions {
  /** Space between tiles. In millimeters. */
  gap?: number
  color?: string
  /** A name or a function. */
  order?: 'row' | 'column' | ((a: Tile, b: Tile) => number)
  onPlaced?: (tile: Tile) => void
}
export declare class Floor {
  constructor(options?: TileOptions)
  tiles: Tile[]
  /** Places a tile. */
  place(tile: Tile): void
  /** @deprecated Use \`place\` instead. */
  put(tile: Tile): void
}
export interface TileMeta {}
/** Lays tiles on a floor. Returns the floor. */
export declare function layTiles(options: TileOptions): Floor
export declare class Table { lay(): void }
export declare function injectTableController(): { rows: number }
export declare function useTable(options: { rows: number }): { rows: number }
export declare function TileView(props: { tile: Tile; onClick?: () => void }): JSX.Element
`

export function testChecker(): Checker {
  const files = new VirtualFiles()
  for (const name of ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts']) files.add(`/lib/${name}`, '')
  files.add('/lib/lib.esnext.d.ts', LANGUAGE)
  files.add('/node_modules/@acme/tiles/package.json', JSON.stringify({ name: '@acme/tiles', types: 'index.d.ts' }))
  files.add('/node_modules/@acme/tiles/index.d.ts', TYPES)
  return new Checker(files, null, ['@acme/tiles'])
}

export function block(code: string, more: Partial<Block> = {}): Block {
  return { language: 'tsx', code, removed: [], heading: '', before: '', ...more }
}

export function page(blocks: (Block | null)[], more: Partial<Page> = {}): Page {
  return { path: 'guides/tiles', title: 'Tiles', text: '', blocks, ...more }
}

export function checkPage(checker: Checker, checked: Page): PageCheck {
  return checker.check([checked])[0] as PageCheck
}

/** The check of the last block of a page with these blocks. */
export function checkCode(checker: Checker, ...codes: (string | Block)[]): BlockCheck {
  const made = checkPage(checker, page(codes.map((code) => (typeof code === 'string' ? block(code) : code))))
  return made.blocks.at(-1) as BlockCheck
}
