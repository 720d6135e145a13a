import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Entry, Row } from '../../lib/examples'
import { foldersOf, rowsOf, stepOf } from '../../lib/examples'
import { REVEAL_SCRIPT } from '../../lib/tree'
import { Settle } from '../ui/Settle'
import { Glyph } from './Glyph'
import { useLive } from './useLive'

interface Props {
  label: string
  entries: Entry[]
  /** The open file. */
  file: string
  href: (file: string) => string
  onOpen: (file: string) => void
}

/** Rows from which on only those in view are drawn. */
const MANY = 120
const ROW_REM = 1.75
const AHEAD = 12

/** The files of an example, after the ARIA pattern for trees. Without a script every row is a link. */
export function FileTree({ label, entries, file, href, onOpen }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(foldersOf(file)))
  const [shown, setShown] = useState(file)
  const [at, setAt] = useState(file)
  const box = useRef<HTMLUListElement>(null)
  const moved = useRef(false)
  // The server's page has every row as a stop for the Tab key; here the tree is one.
  const live = useLive()
  if (shown !== file) {
    setShown(file)
    setAt(file)
    setOpen(new Set([...open, ...foldersOf(file)]))
  }
  const rows = useMemo(() => rowsOf(entries, open), [entries, open])
  const stop = Math.max(
    rows.findIndex(({ path }) => path === at),
    0,
  )
  const isLong = live && rows.length > MANY
  // oxlint-disable-next-line react/incompatible-library -- it is about React's compiler, which this site does not use
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    overscan: AHEAD,
    enabled: isLong,
  })

  useEffect(() => {
    if (!moved.current) return
    if (isLong) virtualizer.scrollToIndex(stop)
    const row = box.current?.querySelector<HTMLElement>(`[data-row="${stop}"]`)
    // A row that was not drawn a moment ago is there with the next frame.
    if (row) focus(row)
    else requestAnimationFrame(() => focus(box.current?.querySelector<HTMLElement>(`[data-row="${stop}"]`)))
    moved.current = false
  }, [stop, isLong, virtualizer])

  const openAt = rows.findIndex(({ path }) => path === file)
  useEffect(() => {
    if (isLong) virtualizer.scrollToIndex(openAt, { align: 'auto' })
    else reveal(box.current?.querySelector<HTMLElement>('[aria-current]'))
    // oxlint-disable-next-line react/exhaustive-deps -- a folder that opens must not scroll the list; only another file does
  }, [file, isLong])

  const toggle = (path: string) => {
    const next = new Set(open)
    if (!next.delete(path)) next.add(path)
    setOpen(next)
    setAt(path)
  }

  const pick = (row: Row) => (row.open === null ? onOpen(row.path) : toggle(row.path))

  const walk = (event: KeyboardEvent) => {
    const step = stepOf(rows, stop, event.key)
    const row = step && rows['to' in step ? step.to : step.toggle]
    if (!row) return
    event.preventDefault()
    if ('toggle' in step) {
      toggle(row.path)
    } else {
      moved.current = step.to !== stop
      setAt(row.path)
    }
  }

  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const row = rows[stop]
    if (row && (event.key === ' ' || event.key === 'Enter')) {
      event.preventDefault()
      pick(row)
    } else if (event.key === '*') {
      setOpen(new Set([...open, ...foldersBeside(rows, stop)]))
    } else {
      walk(event)
    }
  }

  const draw = (row: Row, index: number, start?: number) => (
    <li key={row.path} role="none" style={start === undefined ? undefined : { translate: `0 ${start}px` }}>
      <TreeRow
        row={row}
        index={index}
        current={row.path === file}
        href={row.open === null || !live ? href(row.leadsTo) : undefined}
        stop={!live || index === stop}
        onPick={(event) => {
          // Into another tab, say, the browser goes by itself.
          if (row.open === null && (event.metaKey || event.ctrlKey || event.shiftKey)) return
          event.preventDefault()
          pick(row)
        }}
      />
    </li>
  )

  return (
    <nav aria-label="Files" className="example-tree">
      <ul ref={box} role="tree" aria-label={label} onKeyDown={press} data-long={isLong ? '' : undefined}>
        {isLong ? <li role="none" className="example-room" style={{ height: virtualizer.getTotalSize() }} /> : null}
        {isLong
          ? virtualizer.getVirtualItems().flatMap(({ index, start }) => {
              const row = rows[index]
              return row ? [draw(row, index, start)] : []
            })
          : rows.map((row, index) => draw(row, index))}
      </ul>
      <Settle script={REVEAL_SCRIPT} />
    </nav>
  )
}

interface RowProps {
  row: Row
  index: number
  current: boolean
  href: string | undefined
  stop: boolean
  onPick: (event: MouseEvent) => void
}

function TreeRow({ row, index, current, href, stop, onPick }: RowProps) {
  const isFolder = row.open !== null
  return (
    <a
      role="treeitem"
      href={href}
      rel="nofollow"
      data-row={index}
      data-kind={isFolder ? 'folder' : endingOf(row.name)}
      tabIndex={stop ? 0 : -1}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.open ?? undefined}
      aria-selected={isFolder ? undefined : current}
      aria-current={current ? 'page' : undefined}
      style={{ '--level': row.level } as object}
      onClick={onPick}
    >
      <Glyph name={isFolder ? 'chevron' : 'file'} />
      <span>{row.name}</span>
    </a>
  )
}

/** The folders that lie where this row does. */
function foldersBeside(rows: readonly Row[], at: number): string[] {
  const row = rows[at]
  return rows.filter((other) => row && other.open !== null && within(other) === within(row)).map(({ path }) => path)
}

function within({ path, name }: Row): string {
  return path.slice(0, -name.length)
}

/** Scrolls the tree, never the page, and only where the row is out of view. */
function reveal(row: HTMLElement | null | undefined): void {
  const box = row?.closest('ul')
  if (!row || !box) return
  const { offsetTop, offsetHeight } = row
  const isSeen = offsetTop >= box.scrollTop && offsetTop + offsetHeight <= box.scrollTop + box.clientHeight
  if (!isSeen) box.scrollTop = offsetTop - box.clientHeight / 2
}

function focus(row: HTMLElement | null | undefined): void {
  row?.focus()
}

function endingOf(name: string): string {
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
}
