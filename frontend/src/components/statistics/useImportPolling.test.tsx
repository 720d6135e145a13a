// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ComparisonChart } from '../../api/generated'
import { chart, series } from '../../../tests/comparisonSamples'
import { useImportPolling } from './useImportPolling'

const importing: ComparisonChart = { ...chart, series: [series('maps', { status: 'importing' })] }
const refresh = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers()
  refresh.mockClear()
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  showPage('visible')
})

function showPage(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

function pass(seconds: number): void {
  act(() => vi.advanceTimersByTime(seconds * 1000))
}

test('a chart that is complete is not loaded again', () => {
  renderHook(() => useImportPolling(chart, refresh))
  pass(600)
  expect(refresh).not.toHaveBeenCalled()
})

test('a chart with an import is loaded after 5 seconds, then less and less often', () => {
  renderHook(() => useImportPolling(importing, refresh))
  pass(5)
  expect(refresh).toHaveBeenCalledTimes(1)
  pass(5)
  expect(refresh).toHaveBeenCalledTimes(1)
  pass(2.5)
  expect(refresh).toHaveBeenCalledTimes(2)
  pass(600)
  expect(refresh.mock.calls.length).toBeLessThan(18)
})

test('a hidden tab loads nothing', () => {
  renderHook(() => useImportPolling(importing, refresh))
  showPage('hidden')
  pass(60)
  expect(refresh).not.toHaveBeenCalled()
  showPage('visible')
  pass(5)
  expect(refresh).toHaveBeenCalledTimes(1)
})

test('loading ends with the import', () => {
  const { rerender } = renderHook(({ shown }) => useImportPolling(shown, refresh), { initialProps: { shown: importing } })
  pass(5)
  rerender({ shown: chart })
  pass(60)
  expect(refresh).toHaveBeenCalledTimes(1)
})
