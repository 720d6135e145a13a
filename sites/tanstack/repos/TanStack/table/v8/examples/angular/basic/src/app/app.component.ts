import { ChangeDetectionStrategy, Component, input, signal } from '@angular/core'
import {
  FlexRender,
  createAngularTable,
  createColumnHelper,
  flexRenderComponent,
  getCoreRowModel,
  getSortedRowModel,
} from '@tanstack/angular-table'
import type { SortDirection, SortingState } from '@tanstack/angular-table'
import { moons } from './moons'
import type { Moon } from './moons'

@Component({
  selector: 'app-moon-name',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<strong>{{ name() }}</strong>`,
})
export class MoonName {
  readonly name = input.required<string>()
}

const column = createColumnHelper<Moon>()

const columns = [
  column.group({
    id: 'identity',
    header: 'Identity',
    columns: [
      column.accessor('name', {
        header: 'Moon',
        cell: (info) => flexRenderComponent(MoonName, { inputs: { name: info.getValue() } }),
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

@Component({
  selector: 'app-root',
  imports: [FlexRender],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <table>
      <caption>
        Eight moons worth a visit
      </caption>
      <thead>
        @for (group of table.getHeaderGroups(); track group.id) {
          <tr>
            @for (header of group.headers; track header.id) {
              @if (header.column.getCanSort()) {
                <th scope="col" [attr.aria-sort]="ariaSort(header.column.getIsSorted())">
                  <button type="button" (click)="header.column.getToggleSortingHandler()?.($event)">
                    <ng-container
                      *flexRender="header.column.columnDef.header; props: header.getContext(); let text"
                      >{{ text }}</ng-container
                    >
                    <span aria-hidden="true">{{ arrow(header.column.getIsSorted()) }}</span>
                  </button>
                </th>
              } @else {
                <th scope="colgroup" [attr.colspan]="header.colSpan">
                  @if (!header.isPlaceholder) {
                    <ng-container
                      *flexRender="header.column.columnDef.header; props: header.getContext(); let text"
                      >{{ text }}</ng-container
                    >
                  }
                </th>
              }
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
      <tfoot>
        <tr>
          @for (header of table.getLeafHeaders(); track header.id) {
            <td>
              <ng-container
                *flexRender="header.column.columnDef.footer; props: header.getContext(); let text"
                >{{ text }}</ng-container
              >
            </td>
          }
        </tr>
      </tfoot>
    </table>
  `,
})
export class AppComponent {
  readonly sorting = signal<SortingState>([])

  readonly table = createAngularTable(() => ({
    data: moons,
    columns,
    state: { sorting: this.sorting() },
    onSortingChange: (updater) =>
      typeof updater === 'function' ? this.sorting.update(updater) : this.sorting.set(updater),
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  }))

  protected arrow(sorted: SortDirection | false): string {
    return sorted ? ARROWS[sorted] : ''
  }

  protected ariaSort(sorted: SortDirection | false): string {
    return sorted ? ARIA_SORT[sorted] : 'none'
  }
}
