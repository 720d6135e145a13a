import { LitElement, html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import { TableController, flexRender, getCoreRowModel, getSortedRowModel } from '@tanstack/lit-table'
import { columns } from './columns'
import { moons } from './moons'
import type { Moon } from './moons'

const ARROWS = { asc: ' ▲', desc: ' ▼', false: '' }

@customElement('moon-table')
export class MoonTable extends LitElement {
  private controller = new TableController<Moon>(this)

  protected override render() {
    const table = this.controller.table({
      data: moons,
      columns,
      getCoreRowModel: getCoreRowModel(),
      getSortedRowModel: getSortedRowModel(),
    })

    return html`
      <table>
        <thead>
          ${table.getHeaderGroups().map(
            (group) => html`
              <tr>
                ${group.headers.map(
                  ({ column, getContext }) => html`
                    <th scope="col">
                      <button type="button" @click=${column.getToggleSortingHandler()}>
                        ${flexRender(column.columnDef.header, getContext())}${ARROWS[
                          `${column.getIsSorted()}`
                        ]}
                      </button>
                    </th>
                  `,
                )}
              </tr>
            `,
          )}
        </thead>
        <tbody>
          ${repeat(
            table.getRowModel().rows,
            (row) => row.id,
            (row) => html`
              <tr>
                ${row.getVisibleCells().map(
                  (cell) => html`
                    <td>${flexRender(cell.column.columnDef.cell, cell.getContext())}</td>
                  `,
                )}
              </tr>
            `,
          )}
        </tbody>
      </table>
    `
  }
}
