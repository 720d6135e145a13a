import { readFile, writeFile } from 'node:fs/promises'

const FILE = 'count.txt'

export async function readCount(): Promise<number> {
  try {
    return Number(await readFile(FILE, 'utf-8'))
  } catch (error) {
    // The file appears with the first press; until then the count is zero.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}

let lastWrite: Promise<unknown> = Promise.resolve()

// Two people may press at once, so each addition waits for the one before it.
export function addToCount(amount: number): Promise<number> {
  const write = lastWrite
    .catch(() => undefined)
    .then(async () => {
      const count = (await readCount()) + amount
      await writeFile(FILE, String(count))
      return count
    })
  lastWrite = write
  return write
}
