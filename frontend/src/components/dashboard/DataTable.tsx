import type { ReactNode } from 'react'
import { EmptySection } from './EmptySection'

export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the end of their column. */
  numeric?: true
}

interface Props<Row> {
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  empty: string
}

/** A table that scrolls sideways on narrow screens. */
export function DataTable<Row>({ caption, rows, columns, rowKey, empty }: Props<Row>) {
  if (rows.length === 0) return <EmptySection title={caption} text={empty} />
  return (
    <section className="dashboard-section">
      <h2>{caption}</h2>
      {/* A region that scrolls can be reached by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="data-table" aria-label={caption} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map(({ name, numeric }) => (
                <th key={name} scope="col" className={numeric && 'numeric'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map(({ name, cell, numeric }) => (
                  <td key={name} className={numeric && 'numeric'}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}
