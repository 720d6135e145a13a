export interface Entry {
  id: string
  level: 'info' | 'warn' | 'error'
  text: string
}

const sentences = [
  'Accepted a connection.',
  'Cache warmed from the last snapshot, nothing had to be fetched again.',
  'The upstream answered slowly, so the stale copy was served while a fresh one is on its way.',
  'Retrying in two seconds.',
  'A client went away before the answer was complete. The work was kept for the next one to ask.',
  'Finished a sweep of expired entries.',
]

const levels = ['info', 'info', 'info', 'warn', 'info', 'error'] as const

/** The same log every time, with entries from one short line to a long paragraph. */
export function makeEntries(count: number): Array<Entry> {
  return Array.from({ length: count }, (_, index) => {
    const length = 1 + ((index * 7) % 5)
    const words = Array.from({ length }, (_, step) => sentences[(index + step * 3) % sentences.length])
    return {
      id: `entry-${index}`,
      level: levels[index % levels.length] ?? 'info',
      text: words.join(' '),
    }
  })
}
