import { Component } from '@angular/core'
import { FlexRender, createAngularTable, getCoreRowModel, getSortedRowModel } from '@tanstack/angular-table'
import { columns } from './columns'
import { moons } from './moons'

@Component({
  selector: 'app-moon-table',
  imports: [FlexRender],
  template: `
    <table>
      <thead>
        @for (group of table.getHeaderGroups(); track group.id) {
          <tr>
            @for (header of group.headers; track header.id) {
              <th scope="col">
                <button type="button" (click)="header.column.getToggleSortingHandler()?.($event)">
                  <ng-container
                    *flexRender="header.column.columnDef.header; props: header.getContext(); let text"
                    >{{ text }}</ng-container
                  >
                  {{ header.column.getIsSorted() ? arrows[header.column.getIsSorted() || 'asc'] : '' }}
                </button>
              </th>
            }
          </tr>
        }
      </thead>
      <tbody>
        @for (row of table.getRowModel().rows; track row.id) {
          <tr>
            @for (cell of row.getVisibleCells(); track cell.id) {
              <td>
                <ng-container
                  *flexRender="cell.column.columnDef.cell; props: cell.getContext(); let text"
                  >{{ text }}</ng-container
                >
              </td>
            }
          </tr>
        }
      </tbody>
    </table>
  `,
})
export class MoonTableComponent {
  readonly arrows = { asc: ' ▲', desc: ' ▼' }

  readonly table = createAngularTable(() => ({
    data: moons,
    columns,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  }))
}
