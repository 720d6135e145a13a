import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

/** An element in place of the whole page; Escape leaves. What is behind it can neither be seen nor reached. */
export function useFullScreen(frame: RefObject<HTMLElement | null>): [boolean, (full: boolean) => void] {
  const [full, setFull] = useState(false)
  useEffect(() => {
    if (!full) return undefined
    const hidden = frame.current ? besides(frame.current) : []
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

/** Everything on the page that neither holds the element nor is in it. What is inert already stays so. */
function besides(element: HTMLElement): HTMLElement[] {
  const { parentElement } = element
  if (!parentElement || element === document.body) return []
  const around = [...parentElement.children].filter(
    (other): other is HTMLElement => other instanceof HTMLElement && other !== element && !other.inert,
  )
  return [...around, ...besides(parentElement)]
}
