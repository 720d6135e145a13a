import type { CSSProperties } from 'react'
import { useMemo, useState } from 'react'
import type { ComparisonChart } from '../../api/generated'
import { binShare, rangeText } from '../../lib/statistics/chart/bins'
import type { ChartDrawing, ChartPanel } from '../../lib/statistics/chart/drawing'
import { drawChart, panelHeight } from '../../lib/statistics/chart/drawing'
import { readBin } from '../../lib/statistics/chart/reading'
import { AreaStyles } from '../ui/AreaStyles'
import { ChartCrosshair } from './ChartCrosshair'
import { ChartDescription } from './ChartDescription'
import { ChartEnds } from './ChartEnds'
import { ChartLines } from './ChartLines'
import type { Edge } from './ChartPointer'
import { ChartPointer } from './ChartPointer'
import { ChartSwatch } from './ChartSwatch'
import { ChartTooltip } from './ChartTooltip'
import { ChartValues, valueLabels } from './ChartValues'

interface Props {
  chart: ComparisonChart
  /** Of the plot and its date axis, in CSS pixels. Facets in rows share it. */
  height: number
  /** The height while the reader drags the handle; null at other times. */
  draggedHeight?: number | null
  id?: string
}

/** What the reader points at: a bin, in one of the panels. */
interface Target {
  bin: number
  panel: number
  edge: Edge
}

/** Of the date axis. */
const DATES_PX = 28
/** Above the plot, as in Chart.css. */
const ABOVE_PX = 8
/** Characters of the longest name at the end of a line. */
const MOST_END_CHARACTERS = 20

/** A line chart. Its markup fits every width and height, so that it needs no script to be drawn. */
export function Chart({ chart, height, draggedHeight = null, id }: Props) {
  const drawing = useMemo(() => drawChart(chart), [chart])
  const [target, setTarget] = useState<Target | null>(null)
  const { layout, panels } = drawing
  const { count } = chart.axis
  // The chart may have changed since the reader pointed at it.
  const bin = target && target.bin < count ? target.bin : null
  const reading = useMemo(() => readBin(chart, drawing, bin ?? count - 1), [chart, drawing, bin, count])
  const heightPx = panelHeight(layout, panels.length, draggedHeight ?? height)
  const stretched = draggedHeight !== null && layout === 'one'
  const point = (panel: number, next: number | null, edge: Edge) =>
    setTarget((last) => {
      if (next === null) return null
      return last?.bin === next && last.panel === panel ? last : { bin: next, panel, edge }
    })
  return (
    <figure id={id} className="chart" data-needs-app="">
      <AreaStyles name="statistics" />
      <ChartHead chart={chart} drawing={drawing} />
      <div
        className="chart-panels"
        data-layout={layout}
        data-stretched={stretched ? '' : undefined}
        style={{ ...panelsStyle(chart, drawing, heightPx), ...(stretched && stretchedStyle(height, heightPx)) }}
      >
        {panels.map((panel, index) => (
          <div key={panel.name} className="chart-panel">
            {layout !== 'one' && <PanelTitle panel={panel} />}
            <div className="chart-frame">
              {panel.lines.length > 0 && <ChartValues scale={drawing.scale} kind={chart.valueAxis.kind} heightPx={heightPx - DATES_PX} />}
              <div className="chart-plot">
                <ChartLines drawing={drawing} panel={panel} axis={chart.axis} summary={index === 0 ? chart.summary : ''} />
                {layout === 'one' && <ChartEnds panel={panel} scale={drawing.scale} count={count} heightPx={heightPx - DATES_PX} />}
                {bin !== null && <ChartCrosshair drawing={drawing} panel={panel} bin={bin} count={count} />}
                {count > 0 && (
                  <ChartPointer count={count} bin={bin} reading={index === 0 ? reading : null} onPoint={(next, edge) => point(index, next, edge)} />
                )}
                {bin !== null && target?.panel === index && (
                  <ChartTooltip reading={reading} share={binShare(count, bin)} edge={target.edge} current={panel.name} />
                )}
              </div>
            </div>
          </div>
        ))}
        {panels.every(({ lines }) => lines.length === 0) && <p className="chart-empty">No data to show.</p>}
      </div>
      <ChartDescription summary={chart.summary} />
    </figure>
  )
}

interface HeadProps {
  chart: ComparisonChart
  drawing: ChartDrawing
}

function ChartHead({ chart, drawing }: HeadProps) {
  return (
    <p className="chart-head">
      <span className="chart-unit">
        {chart.valueAxis.title}
        {drawing.scale.log && ' (logarithmic)'}
      </span>
      <span>{rangeText(chart.axis, drawing.starts, chart.lastDay)}</span>
    </p>
  )
}

function PanelTitle({ panel: { lines } }: { panel: ChartPanel }) {
  return lines.map(({ series }) => (
    <p key={series.name} className="chart-panel-title">
      <ChartSwatch color={series.color} dash={series.dash} />
      <span className="chart-panel-name">{series.label}</span>
    </p>
  ))
}

interface PanelsStyle extends CSSProperties {
  '--panel-height': string
  '--columns': number
  '--gutter': string
  '--ends': string
}

/** Sizes that the stylesheet needs: heights, and the widths of the labels, in characters. */
function panelsStyle({ valueAxis }: ComparisonChart, { panels, scale }: ChartDrawing, heightPx: number): PanelsStyle {
  const labels = valueLabels(scale, valueAxis.kind, heightPx - DATES_PX)
  const names = panels.flatMap(({ lines }) => lines.map(({ series }) => series.label.length))
  return {
    '--panel-height': `${heightPx}px`,
    '--columns': panels.length,
    '--gutter': `${Math.max(2, ...labels.map(({ text }) => text.length))}ch`,
    '--ends': `${Math.min(MOST_END_CHARACTERS, Math.max(0, ...names))}ch`,
  }
}

interface StretchedStyle extends CSSProperties {
  '--drawn-height': string
  '--stretch': number
}

/** While the height changes, the lines as they were drawn are scaled: to draw 40,000 points anew takes several frames. */
function stretchedStyle(drawnPx: number, heightPx: number): StretchedStyle {
  const outside = ABOVE_PX + DATES_PX
  return { '--drawn-height': `${drawnPx}px`, '--stretch': (heightPx - outside) / (drawnPx - outside) }
}
