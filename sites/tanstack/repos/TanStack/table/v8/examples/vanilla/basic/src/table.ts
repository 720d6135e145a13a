import { createTable } from '@tanstack/table-core'
import type { RowData, Table, TableOptions } from '@tanstack/table-core'

/** A table that keeps its own state and calls `draw` whenever some of it has changed. */
export function makeTable<TData extends RowData>(
  options: TableOptions<TData>,
  draw: (table: Table<TData>) => void,
): Table<TData> {
  const table = createTable<TData>({
    state: {},
    onStateChange: () => {},
    renderFallbackValue: null,
    ...options,
  })

  let state = table.initialState

  table.setOptions((previous) => ({
    ...previous,
    state,
    onStateChange: (updater) => {
      state = typeof updater === 'function' ? updater(state) : updater
      table.setOptions((current) => ({ ...current, state }))
      draw(table)
    },
  }))

  return table
}

/** What a definition says about one place: a text, or the answer of a function. */
export function textOf<TContext>(
  definition: string | ((context: TContext) => unknown) | undefined,
  context: TContext,
): string {
  const content = typeof definition === 'function' ? definition(context) : definition
  return String(content ?? '')
}
