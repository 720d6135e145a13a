// Rules of the promotion boxes. Pure, so that server and browser choose the same content.

/** The first half is for the right rail, the rest for the left one. An odd number makes the first half larger. */
export function splitRails<T>(all: readonly T[]): { right: readonly T[]; left: readonly T[] } {
  const middle = Math.ceil(all.length / 2)
  return { right: all.slice(0, middle), left: all.slice(middle) }
}

/** The libraries that a rail may show: its half of the family without the current library. */
export function railLibraries<T extends { id: string }>(all: readonly T[], side: 'right' | 'left', reading?: string): readonly T[] {
  return splitRails(all)[side].filter(({ id }) => id !== reading)
}

/** The partners of this library, else those of the whole family, else all. */
export function choosePartners<T extends { libraries: readonly string[] }>(all: readonly T[], reading?: string): readonly T[] {
  const own = all.filter(({ libraries }) => reading && libraries.includes(reading))
  const familyWide = all.filter(({ libraries }) => libraries.length === 0)
  return [own, familyWide, all].find((some) => some.length > 0) ?? []
}

/** The item at this step of the rotation. The first one depends on the path only. */
export function pickRotated<T>(all: readonly T[], path: string, turn: number): T | undefined {
  return all[(hashPath(path) + turn) % all.length]
}

function hashPath(path: string): number {
  return Array.from(path).reduce((before, letter) => (before * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7)
}

/** All items except the first of each kind. */
export function findDuplicates<T>(all: readonly T[], kindOf: (one: T) => string): T[] {
  const seen = new Set<string>()
  return all.filter((one) => {
    const kind = kindOf(one)
    const known = seen.has(kind)
    seen.add(kind)
    return known
  })
}
