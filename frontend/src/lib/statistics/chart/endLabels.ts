// Names at the right end of the lines, apart from each other.
import { binShare } from './bins'
import type { DrawnSeries } from './drawing'
import type { ValueScale } from './valueScale'
import { isDrawable } from './valueScale'

/** Height of a label, in CSS pixels. */
const LABEL_PX = 17
/** A line that ends further to the left has no label. */
const NEAR_END = 0.97

export interface EndLabel {
  name: string
  label: string
  color: string
  /** The place of its middle between the top (0) and the bottom (1). */
  top: number
}

/** None where not all of them fit. */
export function endLabels(lines: readonly DrawnSeries[], count: number, scale: ValueScale, heightPx: number): EndLabel[] {
  if (lines.length < 2 || lines.length * LABEL_PX > heightPx) return []
  const found = lines.flatMap(({ series: { name, label, color, values } }) => {
    const bin = values.slice(0, count).findLastIndex(isDrawable)
    const value = values[bin]
    const share = isDrawable(value) ? scale.share(value) : null
    return share === null || binShare(count, bin) < NEAR_END ? [] : [{ name, label, color, top: 1 - share }]
  })
  return spread(found.toSorted((one, other) => one.top - other.top), LABEL_PX / heightPx)
}

/** Moves sorted labels down where they overlap, then those up that are below the bottom. */
function spread(labels: readonly EndLabel[], distance: number): EndLabel[] {
  const tops: number[] = []
  for (const { top } of labels) tops.push(Math.max(top, (tops.at(-1) ?? -Infinity) + distance))
  let lowest = 1
  for (let index = tops.length - 1; index >= 0; index--) {
    lowest = Math.min(tops[index] ?? 0, lowest)
    tops[index] = lowest
    lowest -= distance
  }
  return labels.map((label, index) => ({ ...label, top: tops[index] ?? label.top }))
}
