import { For, Show, createSignal } from 'solid-js'
import { render } from 'solid-js/web'
import {
  createColumnHelper,
  createSolidTable,
  flexRender,
  getCoreRowModel,
  getSortedRowModel,
} from '@tanstack/solid-table'
import type { Header, SortingState } from '@tanstack/solid-table'
import { moons } from './moons'
import type { Moon } from './moons'
import './index.css'

const column = createColumnHelper<Moon>()

const columns = [
  column.group({
    id: 'identity',
    header: 'Identity',
    columns: [
      column.accessor('name', {
        header: 'Moon',
        cell: (info) => <strong>{info.getValue()}</strong>,
        footer: ({ table }) => `${table.getRowModel().rows.length} moons`,
      }),
      column.accessor('planet', { header: 'Planet' }),
    ],
  }),
  column.group({
    id: 'figures',
    header: 'Figures',
    columns: [
      column.accessor('radiusKm', {
        header: 'Radius',
        cell: (info) => `${info.getValue().toLocaleString('en')} km`,
      }),
      column.accessor('periodDays', {
        header: 'Orbit',
        cell: (info) => `${info.getValue()} days`,
      }),
      column.accessor('discovered', { header: 'Seen since' }),
    ],
  }),
]

const ARROWS = { asc: ' ▲', desc: ' ▼' }
const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

function App() {
  const [sorting, setSorting] = createSignal<SortingState>([])

  const table = createSolidTable({
    data: moons,
    columns,
    state: {
      // A getter, so that the table reads the signal anew and notices when it changes.
      get sorting() {
        return sorting()
      },
    },
    onSortingChange: setSorting,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  })

  return (
    <table>
      <caption>Eight moons worth a visit</caption>
      <thead>
        <For each={table.getHeaderGroups()}>
          {(group) => (
            <tr>
              <For each={group.headers}>{(header) => <HeaderCell header={header} />}</For>
            </tr>
          )}
        </For>
      </thead>
      <tbody>
        <For each={table.getRowModel().rows}>
          {(row) => (
            <tr>
              <For each={row.getVisibleCells()}>
                {(cell) => <td>{flexRender(cell.column.columnDef.cell, cell.getContext())}</td>}
              </For>
            </tr>
          )}
        </For>
      </tbody>
      <tfoot>
        <tr>
          <For each={table.getLeafHeaders()}>
            {(header) => <td>{flexRender(header.column.columnDef.footer, header.getContext())}</td>}
          </For>
        </tr>
      </tfoot>
    </table>
  )
}

function HeaderCell(props: { header: Header<Moon, unknown> }) {
  const label = () => flexRender(props.header.column.columnDef.header, props.header.getContext())
  const sorted = () => props.header.column.getIsSorted()
  const arrow = () => {
    const direction = sorted()
    return direction ? ARROWS[direction] : ''
  }
  const ariaSort = () => {
    const direction = sorted()
    return direction ? ARIA_SORT[direction] : 'none'
  }

  return (
    <Show
      when={props.header.column.getCanSort()}
      fallback={
        <th colSpan={props.header.colSpan} scope="colgroup">
          {props.header.isPlaceholder ? null : label()}
        </th>
      }
    >
      <th scope="col" aria-sort={ariaSort()}>
        <button
          type="button"
          onClick={(event) => props.header.column.getToggleSortingHandler()?.(event)}
        >
          {label()}
          <span aria-hidden="true">{arrow()}</span>
        </button>
      </th>
    </Show>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root element')

render(() => <App />, root)
