import type { KeyboardEvent, PointerEvent } from 'react'
import { useState, useSyncExternalStore } from 'react'
import { clampWidth, MIN_WIDTH, TREE_KEY, DEFAULT_WIDTH, MAX_WIDTH, widthForKey } from '../../lib/examples/treeWidth'

const subscribe = () => () => undefined

/** Resizes the file tree by pointer and keyboard, and stores its width (ARIA window splitter pattern). */
export function Splitter({ controls }: { controls: string }) {
  const [chosen, setChosen] = useState<number | null>(null)
  // TREE_SCRIPT has applied the stored width already.
  const storedWidth = useSyncExternalStore(
    subscribe,
    () => clampWidth(Number(window.__kinfolk.read(TREE_KEY)) || DEFAULT_WIDTH),
    () => DEFAULT_WIDTH,
  )
  const width = chosen ?? storedWidth
  const set = (wanted: number) => {
    const next = clampWidth(wanted)
    setChosen(next)
    document.documentElement.style.setProperty('--tree', `${next}px`)
    window.__kinfolk.write(TREE_KEY, `${next}`)
  }
  const drag = ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    set(clientX - (currentTarget.parentElement?.getBoundingClientRect().left ?? 0))
  }
  const press = (event: KeyboardEvent) => {
    const next = widthForKey(event.key, width)
    if (next === null) return
    event.preventDefault()
    set(next)
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a separator that moves is a widget (ARIA 1.2), `hr` is not
      role="separator"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a widget takes the focus
      tabIndex={0}
      aria-label="Width of the file tree"
      aria-orientation="vertical"
      aria-controls={controls}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      aria-valuenow={width}
      className="example-splitter needs-script"
      onKeyDown={press}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => set(DEFAULT_WIDTH)}
    />
  )
}
