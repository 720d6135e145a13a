import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

// Half of a box is enough to read what it says.
const SHARE = 0.5

/** Whether somebody may be looking: half of the element is in the window, and the window is in front. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    let inside = false
    const look = () => setSeen(inside && document.visibilityState === 'visible')
    const observer = new IntersectionObserver(
      (entries) => {
        inside = entries.at(-1)?.isIntersecting ?? false
        look()
      },
      { threshold: SHARE },
    )
    if (element.current) observer.observe(element.current)
    document.addEventListener('visibilitychange', look)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', look)
    }
  }, [element])
  return seen
}
