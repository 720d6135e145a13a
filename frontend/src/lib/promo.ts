// What the boxes for promotions show: who may, and whose turn it is. Pure, so that the server shows the same.

/** The first half, the larger where the number is odd, is the right rail's; the rest is the left rail's. */
export function halves<T>(all: readonly T[]): { right: readonly T[]; left: readonly T[] } {
  const middle = Math.ceil(all.length / 2)
  return { right: all.slice(0, middle), left: all.slice(middle) }
}

/** Those a rail may show: its half of the family without the library one is reading about. */
export function railOf<T extends { id: string }>(all: readonly T[], side: 'right' | 'left', reading?: string): readonly T[] {
  return halves(all)[side].filter(({ id }) => id !== reading)
}

/** The partners of this library; where it has none, those who help the whole family; else all. */
export function partnersOf<T extends { libraries: readonly string[] }>(all: readonly T[], reading?: string): readonly T[] {
  const own = all.filter(({ libraries }) => reading && libraries.includes(reading))
  const everybodys = all.filter(({ libraries }) => libraries.length === 0)
  return [own, everybodys, all].find((some) => some.length > 0) ?? []
}

/** Whose turn it is. The first one differs from page to page, and is the same for everybody who opens the page. */
export function inTurn<T>(all: readonly T[], path: string, turn: number): T | undefined {
  return all[(sum(path) + turn) % all.length]
}

function sum(path: string): number {
  return Array.from(path).reduce((before, letter) => (before * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7)
}

/** What of these stands there already: every one but the first of its kind. */
export function repeated<T>(all: readonly T[], kindOf: (one: T) => string): T[] {
  const seen = new Set<string>()
  return all.filter((one) => {
    const kind = kindOf(one)
    const known = seen.has(kind)
    seen.add(kind)
    return known
  })
}
