import { getCoreRowModel, getSortedRowModel } from '@tanstack/table-core'
import type { Table } from '@tanstack/table-core'
import { columns } from './columns'
import { moons } from './moons'
import type { Moon } from './moons'
import { makeTable } from './table'

const ARROWS = { asc: ' ▲', desc: ' ▼', false: '' }

const element = document.createElement('table')
document.body.append(element)

draw(
  makeTable(
    { data: moons, columns, getCoreRowModel: getCoreRowModel(), getSortedRowModel: getSortedRowModel() },
    draw,
  ),
)

function draw(table: Table<Moon>): void {
  const head = document.createElement('thead')
  for (const group of table.getHeaderGroups()) {
    const line = head.insertRow()
    for (const header of group.headers) {
      const button = document.createElement('button')
      button.textContent = `${header.column.columnDef.header}${ARROWS[`${header.column.getIsSorted()}`]}`
      button.addEventListener('click', (event) => header.column.getToggleSortingHandler()?.(event))

      const cell = document.createElement('th')
      cell.scope = 'col'
      cell.append(button)
      line.append(cell)
    }
  }

  const body = document.createElement('tbody')
  for (const row of table.getRowModel().rows) {
    const line = body.insertRow()
    for (const cell of row.getVisibleCells()) {
      const { cell: content } = cell.column.columnDef
      line.insertCell().textContent = String(
        typeof content === 'function' ? content(cell.getContext()) : content,
      )
    }
  }

  element.replaceChildren(head, body)
}
