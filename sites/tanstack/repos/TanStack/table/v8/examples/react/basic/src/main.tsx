import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import {
  createColumnHelper,
  flexRender,
  getCoreRowModel,
  getSortedRowModel,
  useReactTable,
} from '@tanstack/react-table'
import type { Header, SortingState } from '@tanstack/react-table'
import { moons } from './moons'
import type { Moon } from './moons'
import './index.css'

const column = createColumnHelper<Moon>()

// Outside the component: a new array on every render would make the table start over.
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
  const [sorting, setSorting] = useState<SortingState>([])

  const table = useReactTable({
    data: moons,
    columns,
    state: { sorting },
    onSortingChange: setSorting,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  })

  return (
    <table>
      <caption>Eight moons worth a visit</caption>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => (
              <HeaderCell key={header.id} header={header} />
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id}>
            {row.getVisibleCells().map((cell) => (
              <td key={cell.id}>{flexRender(cell.column.columnDef.cell, cell.getContext())}</td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          {table.getLeafHeaders().map((header) => (
            <td key={header.id}>
              {flexRender(header.column.columnDef.footer, header.getContext())}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  )
}

function HeaderCell({ header }: { header: Header<Moon, unknown> }) {
  const sorted = header.column.getIsSorted()
  const label = flexRender(header.column.columnDef.header, header.getContext())

  if (!header.column.getCanSort()) {
    return (
      <th colSpan={header.colSpan} scope="colgroup">
        {header.isPlaceholder ? null : label}
      </th>
    )
  }

  return (
    <th scope="col" aria-sort={sorted ? ARIA_SORT[sorted] : 'none'}>
      <button type="button" onClick={header.column.getToggleSortingHandler()}>
        {label}
        <span aria-hidden="true">{sorted ? ARROWS[sorted] : ''}</span>
      </button>
    </th>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root element')

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
