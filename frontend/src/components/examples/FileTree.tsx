import { useHydrated } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { FileEntry, TreeRow } from '../../lib/examples/examples'
import { parentFolders, listRows, readTreeKey } from '../../lib/examples/examples'
import { SCROLL_SCRIPT } from '../../lib/examples/treeWidth'
import { InlineScript } from '../ui/InlineScript'
import { ExampleIcon } from './ExampleIcon'
import type { SitePath } from '../../lib/paths'
import { withBase } from '../../lib/paths'

interface Props {
  label: string
  entries: FileEntry[]
  /** The open file. */
  file: string
  href: (file: string) => SitePath
  onOpen: (file: string) => void
}

/** From this many rows on, only those in view are rendered. */
const VIRTUAL_ROWS = 120
const ROW_REM = 1.75
const OVERSCAN_ROWS = 12

/** The files of an example (ARIA tree pattern). Without a script every row is a link. */
export function FileTree({ label, entries, file, href, onOpen }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(parentFolders(file)))
  const [shown, setShown] = useState(file)
  const [at, setAt] = useState(file)
  const box = useRef<HTMLUListElement>(null)
  const moved = useRef(false)
  // In the server's HTML every row can be focused by Tab; after hydration the tree is one tab stop.
  const hydrated = useHydrated()
  if (shown !== file) {
    setShown(file)
    setAt(file)
    setOpen(new Set([...open, ...parentFolders(file)]))
  }
  const rows = useMemo(() => listRows(entries, open), [entries, open])
  const stop = Math.max(
    rows.findIndex(({ path }) => path === at),
    0,
  )
  const isLong = hydrated && rows.length > VIRTUAL_ROWS
  // oxlint-disable-next-line react/incompatible-library -- it is about React's compiler, which this site does not use
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    overscan: OVERSCAN_ROWS,
    enabled: isLong,
  })

  useEffect(() => {
    if (!moved.current) return
    if (isLong) virtualizer.scrollToIndex(stop)
    const row = box.current?.querySelector<HTMLElement>(`[data-row="${stop}"]`)
    // A virtual row is rendered with the next frame.
    if (row) focusRow(row)
    else requestAnimationFrame(() => focusRow(box.current?.querySelector<HTMLElement>(`[data-row="${stop}"]`)))
    moved.current = false
  }, [stop, isLong, virtualizer])

  const openAt = rows.findIndex(({ path }) => path === file)
  useEffect(() => {
    if (isLong) virtualizer.scrollToIndex(openAt, { align: 'auto' })
    else scrollToRow(box.current?.querySelector<HTMLElement>('[aria-current]'))
    // oxlint-disable-next-line react/exhaustive-deps -- a folder that opens must not scroll the list; only another file does
  }, [file, isLong])

  const toggle = (path: string) => {
    const next = new Set(open)
    if (!next.delete(path)) next.add(path)
    setOpen(next)
    setAt(path)
  }

  const pick = (row: TreeRow) => (row.open === null ? onOpen(row.path) : toggle(row.path))

  const walk = (event: KeyboardEvent) => {
    const step = readTreeKey(rows, stop, event.key)
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
      setOpen(new Set([...open, ...siblingFolders(rows, stop)]))
    } else {
      walk(event)
    }
  }

  const draw = (row: TreeRow, index: number, start?: number) => (
    <li key={row.path} role="none" style={start === undefined ? undefined : { translate: `0 ${start}px` }}>
      <FileTreeRow
        row={row}
        index={index}
        current={row.path === file}
        href={row.open === null || !hydrated ? href(row.leadsTo) : undefined}
        stop={!hydrated || index === stop}
        onPick={(event) => {
          // The browser opens the link in another tab or window.
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
        {isLong ? <li role="none" className="example-tree-spacer" style={{ height: virtualizer.getTotalSize() }} /> : null}
        {isLong
          ? virtualizer.getVirtualItems().flatMap(({ index, start }) => {
              const row = rows[index]
              return row ? [draw(row, index, start)] : []
            })
          : rows.map((row, index) => draw(row, index))}
      </ul>
      <InlineScript script={SCROLL_SCRIPT} />
    </nav>
  )
}

interface FileTreeRowProps {
  row: TreeRow
  index: number
  current: boolean
  href: SitePath | undefined
  stop: boolean
  onPick: (event: MouseEvent) => void
}

function FileTreeRow({ row, index, current, href, stop, onPick }: FileTreeRowProps) {
  const isFolder = row.open !== null
  return (
    <a
      role="treeitem"
      href={href && withBase(href)}
      rel="nofollow"
      data-row={index}
      data-kind={isFolder ? 'folder' : fileExtension(row.name)}
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
      <ExampleIcon name={isFolder ? 'chevron' : 'file'} />
      <span>{row.name}</span>
    </a>
  )
}

/** The folders with the same parent as the row. */
function siblingFolders(rows: readonly TreeRow[], at: number): string[] {
  const row = rows[at]
  return rows.filter((other) => row && other.open !== null && parentPath(other) === parentPath(row)).map(({ path }) => path)
}

function parentPath({ path, name }: TreeRow): string {
  return path.slice(0, -name.length)
}

/** Scrolls the tree, not the page, if the row is out of view. */
function scrollToRow(row: HTMLElement | null | undefined): void {
  const box = row?.closest('ul')
  if (!row || !box) return
  const { offsetTop, offsetHeight } = row
  const isSeen = offsetTop >= box.scrollTop && offsetTop + offsetHeight <= box.scrollTop + box.clientHeight
  if (!isSeen) box.scrollTop = offsetTop - box.clientHeight / 2
}

function focusRow(row: HTMLElement | null | undefined): void {
  row?.focus()
}

function fileExtension(name: string): string {
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
}
