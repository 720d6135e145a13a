// Runs before each file. Files share modules and the document (vitest.config.ts), so each test leaves them as they were.
import { afterEach, beforeEach, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

if (typeof document !== 'undefined') {
  const { clearPage, openPage } = await import('./emptyPage')
  beforeEach(openPage)
  afterEach(clearPage)
}
