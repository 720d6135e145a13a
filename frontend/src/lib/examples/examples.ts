// Examples: the file tree, its keyboard, and the parameters in the URL.

export type ExamplePanel = 'code' | 'sandbox'

export interface ExampleSearch {
  /** The open file, relative to the repository's root; the default file if omitted. */
  path?: string
  /** Code if omitted. */
  panel?: 'sandbox'
}

/** Parses the URL's parameters. Invalid ones are ignored. */
export function parseExampleSearch({ path, panel }: Record<string, unknown>): ExampleSearch {
  return {
    path: typeof path === 'string' && path !== '' ? path : undefined,
    panel: panel === 'sandbox' ? panel : undefined,
  }
}

/** A file, or a folder with its entries. */
export interface FileEntry {
  name: string
  path: string
  entries: FileEntry[] | null
}

/** Builds a tree from sorted paths: the files of a folder are adjacent. */
export function buildTree(files: readonly string[]): FileEntry[] {
  const top: FileEntry[] = []
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
export interface TreeRow {
  name: string
  path: string
  level: number
  position: number
  siblings: number
  /** Null for a file. */
  open: boolean | null
  /** The file that a link of the row opens: itself, or the first one in the folder. */
  leadsTo: string
}

/** The visible rows if these folders are open. */
export function listRows(entries: readonly FileEntry[], open: ReadonlySet<string>, level = 1): TreeRow[] {
  return entries.flatMap(({ name, path, entries: inside }, at) => {
    const place = { name, path, level, position: at + 1, siblings: entries.length }
    if (!inside) return [{ ...place, open: null, leadsTo: path }]
    const row = { ...place, open: open.has(path), leadsTo: firstFile(inside) }
    return row.open ? [row, ...listRows(inside, open, level + 1)] : [row]
  })
}

function firstFile(entries: readonly FileEntry[]): string {
  const [first] = entries
  return first?.entries ? firstFile(first.entries) : (first?.path ?? '')
}

/** The parent folders of a path, outermost first. */
export function parentFolders(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'))
}

/** The effect of a key: moves to a row, or toggles a folder. */
export type TreeAction = { to: number } | { toggle: number } | null

export function readTreeKey(rows: readonly TreeRow[], at: number, key: string): TreeAction {
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
      return expandOrEnter(rows, at, row)
    case 'ArrowLeft':
      return collapseOrLeave(rows, at, row)
    default:
      return key.length === 1 ? findByLetter(rows, at, key) : null
  }
}

/** Opens a closed folder; in an open one, moves to its first entry. */
function expandOrEnter(rows: readonly TreeRow[], at: number, row: TreeRow): TreeAction {
  if (row.open === false) return { toggle: at }
  return row.open && rows[at + 1]?.level === row.level + 1 ? { to: at + 1 } : null
}

/** Closes an open folder; else moves to the parent folder. */
function collapseOrLeave(rows: readonly TreeRow[], at: number, row: TreeRow): TreeAction {
  if (row.open) return { toggle: at }
  const parent = rows.slice(0, at).findLastIndex(({ level }) => level < row.level)
  return parent < 0 ? null : { to: parent }
}

/** The next row whose name begins with the letter, wrapping around. */
function findByLetter(rows: readonly TreeRow[], at: number, letter: string): TreeAction {
  const inTurn = [...rows.keys()].map((offset) => (at + 1 + offset) % rows.length)
  const to = inTurn.find((index) => rows[index]?.name.toLowerCase().startsWith(letter.toLowerCase()))
  return to === undefined ? null : { to }
}

/** Formats a file size: 1.2 kB. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** The URL of an embedded sandbox, with the reader's theme and open file. */
export function sandboxUrl(embed: string, theme: 'light' | 'dark', file: string): string {
  const url = new URL(embed)
  url.searchParams.set('theme', theme)
  if (file) url.searchParams.set('file', file)
  return url.href
}

/** The open file, relative to the example: that of the URL if it is in the example, else the default. */
export function resolveFile({ root, start }: { root: string; start: string }, path: string | undefined): string {
  const inside = path?.startsWith(`${root}/`) ? path.slice(root.length + 1) : ''
  return inside && !inside.split('/').some((part) => ['', '.', '..'].includes(part)) ? inside : start
}
