import { memo } from 'react'
import type { ValueAxis } from '../../api/generated'
import { formatShort } from '../../lib/statistics/chart/numbers'
import type { ValueScale } from '../../lib/statistics/chart/valueScale'
import { valueTicks } from '../../lib/statistics/chart/valueScale'

interface Props {
  scale: ValueScale
  kind: ValueAxis['kind']
  /** Of the plot. */
  heightPx: number
}

interface ValueLabel {
  /** The place between the top (0) and the bottom (1). */
  top: number
  text: string
  isZero: boolean
}

export function valueLabels(scale: ValueScale, kind: ValueAxis['kind'], heightPx: number): ValueLabel[] {
  return valueTicks(scale, heightPx).map((tick) => ({
    top: 1 - (scale.share(tick) ?? 0),
    text: formatShort(tick, kind),
    isZero: tick === 0,
  }))
}

/** The labels of the value axis and the lines of the grid. */
export const ChartValues = memo(({ scale, kind, heightPx }: Props) => (
  <div className="chart-values" aria-hidden="true">
    {valueLabels(scale, kind, heightPx).map(({ top, text, isZero }) => (
      <span key={text} className="chart-value" data-zero={isZero ? '' : undefined} style={{ top: percent(top) }}>
        {text}
      </span>
    ))}
  </div>
))

/** A share as a CSS length. */
export function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`
}
