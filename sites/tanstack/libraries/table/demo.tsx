import { getCoreRowModel, getSortedRowModel, useReactTable } from '@tanstack/react-table'

const radii = { Io: 1822, Europa: 1561, Ganymede: 2634, Callisto: 2410, Titan: 2575 }
const data = Object.entries(radii).map(([moon, radius]) => ({ moon, radius }))
const columns = [{ accessorKey: 'moon', header: 'Moon' }, { accessorKey: 'radius', header: 'Radius in km' }]
const models = { getCoreRowModel: getCoreRowModel(), getSortedRowModel: getSortedRowModel() }
const SORT = { asc: 'ascending', desc: 'descending', false: 'none' } as const

export function Demo() {
  const table = useReactTable({ data, columns, ...models })
  const headers = table.getFlatHeaders().map(({ column }) => (
    <th key={column.id} aria-sort={SORT[`${column.getIsSorted()}`]}>
      <button onClick={column.getToggleSortingHandler()}>{`${column.columnDef.header}`}</button>
    </th>
  ))
  const rows = table.getRowModel().rows.map((row) => (
    <tr key={row.id}>{row.getVisibleCells().map((cell) => <td key={cell.id}>{cell.renderValue<string>()}</td>)}</tr>
  ))
  return <table><thead><tr>{headers}</tr></thead><tbody>{rows}</tbody></table>
}
