import type { KeyboardEvent, PointerEvent } from 'react'
import { nearestBin } from '../../lib/statistics/chart/bins'
import type { Reading } from '../../lib/statistics/chart/reading'
import { inWords } from '../../lib/statistics/chart/reading'

/** A half of the window. */
export type Edge = 'left' | 'right'

interface Props {
  /** Of bins; at least one. */
  count: number
  bin: number | null
  /** Of the bin, or of the last one. Null for a surface that takes the pointer only. */
  reading: Reading | null
  onPoint: (bin: number | null, edge: Edge) => void
}

/** Bins of a large step, as a share of all. */
const LARGE_STEP = 0.1

/** Takes the pointer and the keys. To screen readers it is a slider over the bins, whose value is what they show. */
export function ChartPointer({ count, bin, reading, onPoint }: Props) {
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    if (width > 0) onPoint(nearestBin(count, (clientX - left) / width), left + width / 2 > innerWidth / 2 ? 'right' : 'left')
  }
  const pointer = {
    className: 'chart-pointer needs-script',
    onPointerDown: point,
    onPointerMove: point,
    // A finger that is lifted leaves too: what it pointed at stays until the reader taps elsewhere.
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && onPoint(null, 'left'),
  }
  if (!reading) return <div aria-hidden="true" {...pointer} />
  const press = (event: KeyboardEvent) => {
    const next = binForKey(event.key, bin, count)
    if (next === undefined) return
    event.preventDefault()
    onPoint(next, 'left')
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- `input` has no pointer position and no children
      role="slider"
      tabIndex={0}
      aria-label="Values by date"
      aria-valuemin={0}
      aria-valuemax={count - 1}
      aria-valuenow={bin ?? count - 1}
      aria-valuetext={inWords(reading)}
      onKeyDown={press}
      onBlur={() => onPoint(null, 'left')}
      {...pointer}
    />
  )
}

/** The bin that a key leads to. Null: none; undefined: the key has no meaning here. */
function binForKey(key: string, bin: number | null, count: number): number | null | undefined {
  const last = count - 1
  const large = Math.max(1, Math.round(count * LARGE_STEP))
  const move = (step: number) => (bin === null ? last : Math.min(Math.max(bin + step, 0), last))
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return move(-1)
    case 'ArrowRight':
    case 'ArrowUp':
      return move(1)
    case 'PageDown':
      return move(-large)
    case 'PageUp':
      return move(large)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'Escape':
      return bin === null ? undefined : null
    default:
      return undefined
  }
}
