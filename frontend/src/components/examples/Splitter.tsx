import type { KeyboardEvent, PointerEvent } from 'react'
import { useState, useSyncExternalStore } from 'react'
import { allowedWidth, NARROWEST, TREE_KEY, USUAL, WIDEST, widthAfter } from '../../lib/tree'

const subscribe = () => () => undefined

/** Between the tree and the file: sets the tree's width, by hand and by keys, and remembers it. */
export function Splitter({ controls }: { controls: string }) {
  const [chosen, setChosen] = useState<number | null>(null)
  // The script before the tree has applied what was kept.
  const kept = useSyncExternalStore(
    subscribe,
    () => allowedWidth(Number(window.__kinfolk.read(TREE_KEY)) || USUAL),
    () => USUAL,
  )
  const width = chosen ?? kept
  const set = (wanted: number) => {
    const next = allowedWidth(wanted)
    setChosen(next)
    document.documentElement.style.setProperty('--tree', `${next}px`)
    window.__kinfolk.write(TREE_KEY, `${next}`)
  }
  const drag = ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    set(clientX - (currentTarget.parentElement?.getBoundingClientRect().left ?? 0))
  }
  const press = (event: KeyboardEvent) => {
    const next = widthAfter(event.key, width)
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
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      aria-valuenow={width}
      className="example-splitter needs-script"
      onKeyDown={press}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => set(USUAL)}
    />
  )
}
