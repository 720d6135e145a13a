import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

/** Shows an element over the whole page until Escape. Everything else is inert. */
export function useFullScreen(frame: RefObject<HTMLElement | null>): [boolean, (full: boolean) => void] {
  const [full, setFull] = useState(false)
  useEffect(() => {
    if (!full) return undefined
    const hidden = frame.current ? elementsOutside(frame.current) : []
    for (const element of hidden) element.inert = true
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) setFull(false)
    }
    document.addEventListener('keydown', leave)
    return () => {
      for (const element of hidden) element.inert = false
      document.removeEventListener('keydown', leave)
    }
  }, [full, frame])
  return [full, setFull]
}

/** All elements that are neither ancestors nor descendants, except those that are inert already. */
function elementsOutside(element: HTMLElement): HTMLElement[] {
  const { parentElement } = element
  if (!parentElement || element === document.body) return []
  const around = [...parentElement.children].filter(
    (other): other is HTMLElement => other instanceof HTMLElement && other !== element && !other.inert,
  )
  return [...around, ...elementsOutside(parentElement)]
}
