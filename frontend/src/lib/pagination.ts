/** The page numbers that a pagination shows: the first, the last, those around the current one. `null` is a gap. */
export function listPageLinks(page: number, pages: number, around = 2): (number | null)[] {
  const near = (candidate: number) => Math.abs(candidate - page) <= around
  const shown = Array.from({ length: pages }, (_, at) => at + 1).filter(
    (candidate) => candidate === 1 || candidate === pages || near(candidate),
  )
  return shown.flatMap((candidate, at) => {
    const before = shown[at - 1] ?? 0
    // A gap of one page is replaced by that page.
    if (candidate - before === 2) return [candidate - 1, candidate]
    return candidate - before > 2 ? [null, candidate] : [candidate]
  })
}
