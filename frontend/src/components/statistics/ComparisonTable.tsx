import type { SortingState } from '@tanstack/react-table'
import { createColumnHelper, createSortedRowModel, rowSortingFeature, sortFn_basic, sortFn_text, tableFeatures, useTable } from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import type { BinUnit, ChartSeries, SeriesFigures } from '../../api/generated'
import { formatChange, formatFigure, formatShare } from '../../lib/statistics/comparisonFigures'
import { binNoun } from '../../lib/statistics/comparisonOptions'
import { removeGroup, toggleHidden } from '../../lib/statistics/comparisonEdits'
import { Button, IconButton } from '../ui/Button'
import { ChartSwatch } from './ChartSwatch'
import { useShell } from '../ui/useShell'
import { useComparisonPage } from './ComparisonContext'

interface FigureRow {
  series: ChartSeries
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })
const helper = createColumnHelper<typeof features, FigureRow>()
const LARGEST_FIRST: SortingState = [{ id: 'total', desc: true }]

interface FigureColumn {
  id: string
  header: string
  /** Undefined values are last in both directions. */
  read: (figures: SeriesFigures) => number | null
  format: (value: number) => string
}

function figureColumns(unit: BinUnit, hasStars: boolean): FigureColumn[] {
  return [
    { id: 'total', header: 'In this range', read: ({ total }) => total, format: formatFigure },
    { id: 'lastBin', header: `Last full ${binNoun(unit)}`, read: ({ lastBin }) => lastBin, format: formatFigure },
    { id: 'lastWeek', header: 'Last 7 days', read: ({ lastWeek }) => lastWeek, format: formatFigure },
    { id: 'weekChange', header: 'Week over week', read: ({ weekChange }) => weekChange, format: formatChange },
    { id: 'yearChange', header: 'Year over year', read: ({ yearChange }) => yearChange, format: formatChange },
    { id: 'yearlyGrowth', header: 'Yearly growth', read: ({ yearlyGrowth }) => yearlyGrowth, format: formatChange },
    { id: 'share', header: 'Share', read: ({ share }) => share, format: formatShare },
    ...(hasStars ? [{ id: 'stars', header: 'Stars', read: ({ stars }: SeriesFigures) => stars, format: formatFigure }] : []),
  ]
}

/** The figures of all groups, sorted by any column. */
export function ComparisonTable() {
  const { chart } = useComparisonPage()
  const { isStatic } = useShell()
  const [sorting, setSorting] = useState(LARGEST_FIRST)
  const hasStars = chart.series.some(({ figures }) => typeof figures?.stars === 'number')
  const figures = useMemo(() => figureColumns(chart.axis.unit, hasStars), [chart.axis.unit, hasStars])
  const columns = useMemo(
    () =>
      helper.columns([
        helper.accessor(({ series }) => series.label, { id: 'name', header: 'Package', sortFn: sortFn_text }),
        ...figures.map(({ id, header, read }) =>
          helper.accessor(({ series }) => (series.figures ? (read(series.figures) ?? undefined) : undefined), {
            id,
            header,
            sortFn: sortFn_basic,
            sortUndefined: 'last',
            sortDescFirst: true,
          }),
        ),
      ]),
    [figures],
  )
  const data = useMemo(() => chart.series.map((series) => ({ series })), [chart])
  const table = useTable({ features, columns, data, state: { sorting }, onSortingChange: setSorting, enableSortingRemoval: false })
  return (
    <div className="comparison-table">
      <h2 id="figures-title" className="stats-heading">
        Figures
      </h2>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex -- scrolls sideways on narrow screens, by keyboard, too */}
      <div role="region" aria-labelledby="figures-title" tabIndex={0} className="comparison-table-scroll">
        <table>
          <caption className="sr-only">Downloads of {chart.title}. Each column heading sorts the table.</caption>
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map(({ column }) => (
                  <th key={column.id} scope="col" aria-sort={ARIA_SORT[column.getIsSorted() || 'none']}>
                    <button type="button" onClick={() => column.toggleSorting()}>
                      {String(column.columnDef.header)}
                    </button>
                  </th>
                ))}
                {isStatic ? null : (
                  <th scope="col" className="needs-script">
                    <span className="sr-only">Actions</span>
                  </th>
                )}
              </tr>
            ))}
          </thead>
          <tbody>
            {table.getRowModel().rows.map(({ id, original }) => (
              <FiguresRow key={id} {...original} columns={figures} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending', none: 'none' } as const

function FiguresRow({ series, columns }: FigureRow & { columns: readonly FigureColumn[] }) {
  const { chart, change } = useComparisonPage()
  const { isStatic } = useShell()
  const hidden = series.packages[0]?.hidden ?? false
  return (
    <tr data-hidden={hidden ? '' : undefined}>
      <th scope="row">
        <span className="comparison-table-name">
          <ChartSwatch color={series.color} dash={series.dash} />
          <span>{series.label}</span>
        </span>
      </th>
      {columns.map(({ id, read, format }) => {
        const value = series.figures ? read(series.figures) : null
        return (
          <td key={id} data-sign={format === formatChange && value ? Math.sign(value) : undefined}>
            {value === null ? <span className="sr-only">not known</span> : format(value)}
          </td>
        )
      })}
      {isStatic ? null : (
      <td className="needs-script">
        <div className="comparison-table-actions">
          <Button size="small" variant="quiet" onClick={() => change((current) => toggleHidden(current, series.name))}>
            {hidden ? 'Show' : 'Hide'}
            <span className="sr-only"> {series.label}</span>
          </Button>
          {chart.series.length > 1 ? (
            <IconButton icon="close" label={`Remove ${series.label}`} onClick={() => change((current) => removeGroup(current, series.name))} />
          ) : null}
        </div>
      </td>
      )}
    </tr>
  )
}
