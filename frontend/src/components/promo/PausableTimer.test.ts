import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PausableTimer } from './PausableTimer'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('calls once per interval while it runs', () => {
  const act = vi.fn<() => void>()
  const timer = new PausableTimer(1000, act)
  vi.advanceTimersByTime(5000)
  expect(act).not.toHaveBeenCalled()
  timer.running = true
  vi.advanceTimersByTime(3500)
  expect(act).toHaveBeenCalledTimes(3)
})

test('time before a pause counts', () => {
  const act = vi.fn<() => void>()
  const timer = new PausableTimer(1000, act)
  timer.running = true
  vi.advanceTimersByTime(900)
  timer.running = false
  vi.advanceTimersByTime(60_000)
  timer.running = true
  vi.advanceTimersByTime(99)
  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(act).toHaveBeenCalledTimes(1)
})

test('reset starts the interval over and keeps a paused timer paused', () => {
  const act = vi.fn<() => void>()
  const timer = new PausableTimer(1000, act)
  timer.running = true
  vi.advanceTimersByTime(900)
  timer.reset()
  vi.advanceTimersByTime(900)
  expect(act).not.toHaveBeenCalled()
  timer.running = false
  timer.reset()
  vi.advanceTimersByTime(5000)
  expect(act).not.toHaveBeenCalled()
})
