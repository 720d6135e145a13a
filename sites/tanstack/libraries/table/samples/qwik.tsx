import { component$ } from '@builder.io/qwik'
import { flexRender, getCoreRowModel, getSortedRowModel, useQwikTable } from '@tanstack/qwik-table'
import { columns } from './columns'
import { moons } from './moons'

export const MoonTable = component$(() => {
  const table = useQwikTable({
    data: moons,
    columns,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  })

  return (
    <table>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => {
              const id = header.column.id
              return (
                <th key={header.id} scope="col">
                  <button
                    type="button"
                    onClick$={(event) => table.getColumn(id)?.getToggleSortingHandler()?.(event)}
                  >
                    {flexRender(header.column.columnDef.header, header.getContext())}
                    {{ asc: ' ▲', desc: ' ▼', false: '' }[`${header.column.getIsSorted()}`]}
                  </button>
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
    </table>
  )
})
