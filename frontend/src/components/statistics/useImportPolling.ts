import { useEffect, useRef, useState } from 'react'
import type { ComparisonChart } from '../../api/generated'

const FIRST_MS = 5000
const SLOWDOWN = 1.5
const MAX_MS = 60_000

/** Loads the chart again while packages of it are being imported: every 5 s at first, less often later, not in hidden tabs. */
export function useImportPolling(chart: ComparisonChart, refresh: () => void): void {
  const active = chart.series.some(({ status }) => status === 'importing' || status === 'waiting')
  const visible = usePageVisible()
  const latest = useRef(refresh)
  useEffect(() => {
    latest.current = refresh
  }, [refresh])
  useEffect(() => {
    if (!active || !visible) return undefined
    let delay = FIRST_MS
    let timer = 0
    const schedule = () => {
      timer = window.setTimeout(() => {
        latest.current()
        delay = Math.min(delay * SLOWDOWN, MAX_MS)
        schedule()
      }, delay)
    }
    schedule()
    return () => clearTimeout(timer)
  }, [active, visible])
}

function usePageVisible(): boolean {
  const [visible, setVisible] = useState(true)
  useEffect(() => {
    const update = () => setVisible(document.visibilityState === 'visible')
    update()
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return visible
}
