// Largest triangle three buckets (Steinarsson 2013): the points of a line that keep its shape.

/** Indexes of at most `most` points of `values`, the first and the last among them. Points have equal distances. */
export function decimate(values: readonly number[], most: number): number[] {
  const { length } = values
  if (length <= most || most < 3) return Array.from({ length }, (_, index) => index)
  const selected = [0]
  const width = (length - 2) / (most - 2)
  let from = 0
  for (let bucket = 0; bucket < most - 2; bucket++) {
    const start = Math.floor(bucket * width) + 1
    const end = Math.floor((bucket + 1) * width) + 1
    const next = centerOf(values, end, Math.min(Math.floor((bucket + 2) * width) + 1, length))
    from = farthest(values, start, end, from, next)
    selected.push(from)
  }
  selected.push(length - 1)
  return selected
}

function centerOf(values: readonly number[], start: number, end: number): readonly [number, number] {
  let sum = 0
  for (let index = start; index < end; index++) sum += values[index] ?? 0
  return [(start + end - 1) / 2, sum / Math.max(1, end - start)]
}

/** The index whose point makes the largest triangle with the last selected point and the center of the next bucket. */
function farthest(values: readonly number[], start: number, end: number, from: number, [nextX, nextY]: readonly [number, number]): number {
  const fromY = values[from] ?? 0
  let [best, most] = [start, -1]
  for (let index = start; index < end; index++) {
    const area = Math.abs((from - nextX) * ((values[index] ?? 0) - fromY) - (from - index) * (nextY - fromY))
    if (area > most) [best, most] = [index, area]
  }
  return best
}
