import { createColumnHelper, getCoreRowModel, getSortedRowModel } from '@tanstack/table-core'
import type { Header, Row } from '@tanstack/table-core'
import { moons } from './moons'
import type { Moon } from './moons'
import { makeTable, textOf } from './table'
import './index.css'

const column = createColumnHelper<Moon>()

const columns = [
  column.group({
    id: 'identity',
    header: 'Identity',
    columns: [
      column.accessor('name', {
        header: 'Moon',
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

const table = makeTable(
  {
    data: moons,
    columns,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  },
  draw,
)

const element = document.createElement('table')
element.createCaption().textContent = 'Eight moons worth a visit'
const head = element.createTHead()
const body = element.createTBody()
const foot = element.createTFoot().insertRow()

// Headers are made once and updated in place, so that the button just pressed keeps the focus.
const updates: Array<() => void> = []

for (const group of table.getHeaderGroups()) {
  const line = head.insertRow()
  for (const header of group.headers) line.append(headerCell(header))
}

document.getElementById('root')?.append(element)
draw()

function headerCell(header: Header<Moon, unknown>): HTMLTableCellElement {
  const cell = document.createElement('th')
  const label = header.isPlaceholder
    ? ''
    : textOf(header.column.columnDef.header, header.getContext())

  if (!header.column.getCanSort()) {
    cell.scope = 'colgroup'
    cell.colSpan = header.colSpan
    cell.textContent = label
    return cell
  }

  const button = document.createElement('button')
  button.type = 'button'
  button.addEventListener('click', (event) => header.column.getToggleSortingHandler()?.(event))

  const arrow = document.createElement('span')
  arrow.ariaHidden = 'true'
  button.append(label, arrow)

  cell.scope = 'col'
  cell.append(button)
  updates.push(() => {
    const sorted = header.column.getIsSorted()
    cell.ariaSort = sorted ? ARIA_SORT[sorted] : 'none'
    arrow.textContent = sorted ? ARROWS[sorted] : ''
  })
  return cell
}

function bodyRow(row: Row<Moon>): HTMLTableRowElement {
  const line = document.createElement('tr')
  for (const cell of row.getVisibleCells()) {
    line.insertCell().textContent = textOf(cell.column.columnDef.cell, cell.getContext())
  }
  return line
}

function draw(): void {
  for (const update of updates) update()
  body.replaceChildren(...table.getRowModel().rows.map(bodyRow))
  foot.replaceChildren(
    ...table.getLeafHeaders().map((header) => {
      const cell = document.createElement('td')
      cell.textContent = textOf(header.column.columnDef.footer, header.getContext())
      return cell
    }),
  )
}
