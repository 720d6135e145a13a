import { useEffect, useRef, useState } from 'react'

/** Counts how often `everyMs` has passed while `running`; what has passed when it pauses is not lost. */
export function useTurns(everyMs: number, running: boolean): number {
  const [turn, setTurn] = useState(0)
  const leftMs = useRef(everyMs)
  useEffect(() => {
    if (!running) return
    const began = performance.now()
    const timer = setTimeout(() => {
      leftMs.current = everyMs
      setTurn(turn + 1)
    }, leftMs.current)
    return () => {
      clearTimeout(timer)
      const passed = performance.now() - began
      leftMs.current = passed < leftMs.current ? leftMs.current - passed : everyMs
    }
  }, [everyMs, running, turn])
  return turn
}
