import { useDebouncedCallback } from '@tanstack/react-pacer/debouncer'
import { useThrottledCallback } from '@tanstack/react-pacer/throttler'
import { Ranger } from '@tanstack/ranger'
import type { KeyboardEvent, PointerEvent } from 'react'
import { useRef } from 'react'
import { clampHeight, MAX_HEIGHT, MIN_HEIGHT } from '../../lib/statistics/comparison'
import { useComparisonPage } from './ComparisonContext'

const STEP = 10
const PAGE = 100
const THROTTLE_MS = 16
/** A key that is held repeats every 30 to 100 ms. */
const KEYS_MS = 250

interface Props {
  /** Id of the chart. */
  controls: string
  /** The height while the reader drags the handle; null at other times. */
  dragged: number | null
  onDrag: (height: number | null) => void
}

/** A slider for the height of the chart. While it moves, only the chart changes; then the URL does. */
export function HeightHandle({ controls, dragged, onDrag }: Props) {
  const { comparison, change } = useComparisonPage()
  const height = dragged ?? comparison.height
  // Where the pointer would be at height zero.
  const origin = useRef<number | null>(null)
  const endTimer = useRef(0)
  const show = useThrottledCallback((next: number) => onDrag(next), { wait: THROTTLE_MS })
  const slider = heightSlider(height)
  const write = (next: number) => {
    // After the last throttled height.
    endTimer.current = window.setTimeout(() => onDrag(null), THROTTLE_MS * 2)
    change((current) => (current.height === next ? current : { ...current, height: next }), 'replace')
  }
  const writeLater = useDebouncedCallback(write, { wait: KEYS_MS })
  const heightAt = (y: number) => slider.roundToStep(clampHeight(y - (origin.current ?? y)))
  const press = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    clearTimeout(endTimer.current)
    origin.current = event.clientY - height
  }
  const release = ({ clientY }: PointerEvent<HTMLElement>) => {
    if (origin.current === null) return
    const next = heightAt(clientY)
    origin.current = null
    onDrag(next)
    write(next)
  }
  const move = (event: KeyboardEvent) => {
    const next = heightForKey(event.key, height, slider)
    if (next === null) return
    event.preventDefault()
    // Else the height that was written before would be shown again, and the next key would begin at it.
    clearTimeout(endTimer.current)
    onDrag(next)
    writeLater(next)
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the slider of the browser is as wide as its range, this one moves the edge
      role="slider"
      tabIndex={0}
      aria-label="Height of the chart"
      aria-orientation="vertical"
      aria-controls={controls}
      aria-valuemin={MIN_HEIGHT}
      aria-valuemax={MAX_HEIGHT}
      aria-valuenow={height}
      aria-valuetext={`${height} pixels`}
      className="height-handle needs-script"
      onKeyDown={move}
      onPointerDown={press}
      onPointerMove={({ clientY }) => {
        if (origin.current !== null) show(heightAt(clientY))
      }}
      onPointerUp={release}
      onPointerCancel={release}
    />
  )
}

/** Steps and limits. The pointer is handled here, since Ranger measures only along the horizontal axis. */
function heightSlider(height: number): Ranger {
  return new Ranger({
    getRangerElement: (): unknown => null,
    values: [height],
    min: MIN_HEIGHT,
    max: MAX_HEIGHT,
    stepSize: STEP,
    rerender: () => undefined,
  })
}

function heightForKey(key: string, height: number, slider: Ranger): number | null {
  switch (key) {
    case 'ArrowUp':
    case 'ArrowRight':
      return slider.getNextStep(height, 1)
    case 'ArrowDown':
    case 'ArrowLeft':
      return slider.getNextStep(height, -1)
    case 'PageUp':
      return clampHeight(height + PAGE)
    case 'PageDown':
      return clampHeight(height - PAGE)
    case 'Home':
      return MIN_HEIGHT
    case 'End':
      return MAX_HEIGHT
    default:
      return null
  }
}
