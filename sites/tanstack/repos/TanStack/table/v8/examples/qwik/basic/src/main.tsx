import { component$, render, useSignal } from '@builder.io/qwik'
import { QWIK_LOADER } from '@builder.io/qwik/loader'
import {
  createColumnHelper,
  flexRender,
  getCoreRowModel,
  getSortedRowModel,
  useQwikTable,
} from '@tanstack/qwik-table'
import type { SortingState } from '@tanstack/qwik-table'
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

const App = component$(() => {
  const sorting = useSignal<SortingState>([])

  const table = useQwikTable({
    data: moons,
    columns,
    state: { sorting: sorting.value },
    onSortingChange: (updater) => {
      sorting.value = typeof updater === 'function' ? updater(sorting.value) : updater
    },
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  })

  return (
    <table>
      <caption>Eight moons worth a visit</caption>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => {
              const sorted = header.column.getIsSorted()
              const label = flexRender(header.column.columnDef.header, header.getContext())
              // A handler may only capture what can be serialized: the id, not the header.
              const id = header.column.id

              return header.column.getCanSort() ? (
                <th key={header.id} scope="col" aria-sort={sorted ? ARIA_SORT[sorted] : 'none'}>
                  <button
                    type="button"
                    onClick$={(event) => table.getColumn(id)?.getToggleSortingHandler()?.(event)}
                  >
                    {label}
                    <span aria-hidden="true">{sorted ? ARROWS[sorted] : ''}</span>
                  </button>
                </th>
              ) : (
                <th key={header.id} colSpan={header.colSpan} scope="colgroup">
                  {header.isPlaceholder ? null : label}
                </th>
              )
            })}
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
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root element')

// The loader hears the events of all components. A server would put it into the page; here nobody else does.
const loader = document.createElement('script')
loader.type = 'module'
loader.textContent = QWIK_LOADER
document.head.append(loader)

render(root, <App />)
