// Examples: the tree of their files, and what an address says about them.

export type Panel = 'code' | 'sandbox'

export interface ExampleSearch {
  /** The open file, from the repository's root; the one to begin with where it is left out. */
  path?: string
  /** Code where it is left out. */
  panel?: 'sandbox'
}

/** What the address asks for; what makes no sense is as if it were not there. */
export function exampleSearch({ path, panel }: Record<string, unknown>): ExampleSearch {
  return {
    path: typeof path === 'string' && path !== '' ? path : undefined,
    panel: panel === 'sandbox' ? panel : undefined,
  }
}

/** A file, or a folder with what is in it. */
export interface Entry {
  name: string
  path: string
  entries: Entry[] | null
}

/** The tree of files whose paths are in its order already: each folder's files stand together. */
export function treeOf(files: readonly string[]): Entry[] {
  const top: Entry[] = []
  for (const path of files) {
    let entries = top
    const parts = path.split('/')
    for (const [depth, name] of parts.entries()) {
      const last = depth === parts.length - 1
      let entry = entries.at(-1)
      if (last || entry?.name !== name || !entry.entries) {
        entry = { name, path: parts.slice(0, depth + 1).join('/'), entries: last ? null : [] }
        entries.push(entry)
      }
      entries = entry.entries ?? []
    }
  }
  return top
}

/** An entry as a row of the tree. `level`, `position` and `siblings` are counted from 1. */
export interface Row {
  name: string
  path: string
  level: number
  position: number
  siblings: number
  /** Null for a file. */
  open: boolean | null
  /** The file it leads to: itself, or the first one in the folder. */
  leadsTo: string
}

/** The rows that are seen while these folders are open. */
export function rowsOf(entries: readonly Entry[], open: ReadonlySet<string>, level = 1): Row[] {
  return entries.flatMap(({ name, path, entries: inside }, at) => {
    const place = { name, path, level, position: at + 1, siblings: entries.length }
    if (!inside) return [{ ...place, open: null, leadsTo: path }]
    const row = { ...place, open: open.has(path), leadsTo: firstOf(inside) }
    return row.open ? [row, ...rowsOf(inside, open, level + 1)] : [row]
  })
}

function firstOf(entries: readonly Entry[]): string {
  const [first] = entries
  return first?.entries ? firstOf(first.entries) : (first?.path ?? '')
}

/** The folders that a path lies in, the outermost first. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'))
}

/** Where a key leads in the tree: to another row, or it opens or closes the one it is on. */
export type Step = { to: number } | { toggle: number } | null

export function stepOf(rows: readonly Row[], at: number, key: string): Step {
  const row = rows[at]
  if (!row) return null
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(at + 1, rows.length - 1) }
    case 'ArrowUp':
      return { to: Math.max(at - 1, 0) }
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: rows.length - 1 }
    case 'ArrowRight':
      return inwards(rows, at, row)
    case 'ArrowLeft':
      return outwards(rows, at, row)
    default:
      return key.length === 1 ? startingWith(rows, at, key) : null
  }
}

/** A closed folder is opened; from an open one to the first thing in it. */
function inwards(rows: readonly Row[], at: number, row: Row): Step {
  if (row.open === false) return { toggle: at }
  return row.open && rows[at + 1]?.level === row.level + 1 ? { to: at + 1 } : null
}

/** An open folder is closed; from anything else to the folder it lies in. */
function outwards(rows: readonly Row[], at: number, row: Row): Step {
  if (row.open) return { toggle: at }
  const parent = rows.slice(0, at).findLastIndex(({ level }) => level < row.level)
  return parent < 0 ? null : { to: parent }
}

/** The next row, from the top again after the last, whose name begins so. */
function startingWith(rows: readonly Row[], at: number, letter: string): Step {
  const inTurn = [...rows.keys()].map((offset) => (at + 1 + offset) % rows.length)
  const to = inTurn.find((index) => rows[index]?.name.toLowerCase().startsWith(letter.toLowerCase()))
  return to === undefined ? null : { to }
}

/** 1.2 kB: sizes of files in words. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** The address of a sandbox for a frame: in the reader's theme, with the file open that they read. */
export function embedOf(embed: string, theme: 'light' | 'dark', file: string): string {
  const url = new URL(embed)
  url.searchParams.set('theme', theme)
  if (file) url.searchParams.set('file', file)
  return url.href
}

/** The open file, relative to the example: what the address names if that lies in the example, else the first. */
export function fileAmong({ root, start }: { root: string; start: string }, path: string | undefined): string {
  const inside = path?.startsWith(`${root}/`) ? path.slice(root.length + 1) : ''
  return inside && !inside.split('/').some((part) => ['', '.', '..'].includes(part)) ? inside : start
}
