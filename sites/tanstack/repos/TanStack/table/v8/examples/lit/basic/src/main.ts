import { LitElement, css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import {
  TableController,
  createColumnHelper,
  flexRender,
  getCoreRowModel,
  getSortedRowModel,
} from '@tanstack/lit-table'
import type { Header, SortingState } from '@tanstack/lit-table'
import { moons } from './moons'
import type { Moon } from './moons'

const column = createColumnHelper<Moon>()

const columns = [
  column.group({
    id: 'identity',
    header: 'Identity',
    columns: [
      column.accessor('name', {
        header: 'Moon',
        cell: (info) => html`<strong>${info.getValue()}</strong>`,
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

@customElement('moon-table')
export class MoonTable extends LitElement {
  @state()
  private sorting: SortingState = []

  private controller = new TableController<Moon>(this)

  protected override render() {
    const table = this.controller.table({
      data: moons,
      columns,
      state: { sorting: this.sorting },
      onSortingChange: (updater) => {
        this.sorting = typeof updater === 'function' ? updater(this.sorting) : updater
      },
      getCoreRowModel: getCoreRowModel(),
      getSortedRowModel: getSortedRowModel(),
    })

    return html`
      <table>
        <caption>
          Eight moons worth a visit
        </caption>
        <thead>
          ${table.getHeaderGroups().map(
            (group) => html`
              <tr>
                ${group.headers.map((header) => headerCell(header))}
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
                ${row
                  .getVisibleCells()
                  .map(
                    (cell) =>
                      html`<td>${flexRender(cell.column.columnDef.cell, cell.getContext())}</td>`,
                  )}
              </tr>
            `,
          )}
        </tbody>
        <tfoot>
          <tr>
            ${table
              .getLeafHeaders()
              .map(
                (header) =>
                  html`<td>${flexRender(header.column.columnDef.footer, header.getContext())}</td>`,
              )}
          </tr>
        </tfoot>
      </table>
    `
  }

  static override styles = css`
    :host {
      color-scheme: light dark;
      font-family: system-ui, sans-serif;
    }

    table {
      margin: 3rem auto;
      border-collapse: collapse;
    }

    caption {
      padding: 0.75rem;
      font-weight: 600;
    }

    th,
    td {
      padding: 0.4rem 0.9rem;
      border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent);
      text-align: start;
    }

    th button {
      padding: 0;
      border: 0;
      background: none;
      color: inherit;
      font: inherit;
      cursor: pointer;
    }
  `
}

function headerCell(header: Header<Moon, unknown>) {
  const sorted = header.column.getIsSorted()
  const label = flexRender(header.column.columnDef.header, header.getContext())

  if (!header.column.getCanSort()) {
    return html`
      <th scope="colgroup" colspan=${header.colSpan}>${header.isPlaceholder ? nothing : label}</th>
    `
  }

  return html`
    <th scope="col" aria-sort=${sorted ? ARIA_SORT[sorted] : 'none'}>
      <button type="button" @click=${header.column.getToggleSortingHandler()}>
        ${label}<span aria-hidden="true">${sorted ? ARROWS[sorted] : ''}</span>
      </button>
    </th>
  `
}

declare global {
  interface HTMLElementTagNameMap {
    'moon-table': MoonTable
  }
}
