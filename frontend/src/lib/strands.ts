// The drawing on the home page: strands that start as one rope, cross, and end apart, one for each library.

export const WIDTH = 560
export const HEIGHT = 470

export interface Strand {
  /** In the units of the drawing. */
  path: string
  end: { x: number; y: number }
}

const FOOT = { x: WIDTH / 2, apart: 10 }
/** Where the strands have crossed, and part. */
const KNOT = { x: WIDTH / 2, y: HEIGHT - 132 }
/** Angles from upright, in degrees, of the outermost strands. */
const SPREAD = 80
/** Ends lie on two arcs in turn, so that neighbours have room. */
const REACH = [288, 204] as const
/** How much wider than high the arcs are; how far a strand rises before it turns, and where it then points. */
const FLAT = 0.88
const RISE = 0.36
const TURN = { x: 0.52, y: 0.32 }

/** From left to right. */
export function strands(count: number): Strand[] {
  const stride = strideFor(count)
  return Array.from({ length: count }, (_, index) => {
    const turn = count > 1 ? (index / (count - 1)) * 2 - 1 : 0
    const angle = (turn * SPREAD * Math.PI) / 180
    const reach = REACH[index % 2 === 0 ? 0 : 1]
    const way = { x: reach * FLAT * Math.sin(angle), y: -reach * Math.cos(angle) }
    const end = { x: KNOT.x + way.x, y: KNOT.y + way.y }
    const aside = (((index * stride) % count) - (count - 1) / 2) * FOOT.apart
    const foot = FOOT.x + aside
    const knot = { x: KNOT.x - aside * 0.7, y: KNOT.y }
    const path = [
      `M${r(foot)} ${HEIGHT}`,
      `C${r(foot)} ${HEIGHT - 66} ${r(knot.x)} ${knot.y + 62} ${r(knot.x)} ${knot.y}`,
      `C${r(knot.x)} ${r(knot.y - reach * RISE)} ${r(end.x - way.x * TURN.x)} ${r(end.y - way.y * TURN.y)} ${r(end.x)} ${r(end.y)}`,
    ]
    return { path: path.join(''), end: { x: r(end.x), y: r(end.y) } }
  })
}

/** A step that meets every place of the rope once before it returns to the first, and no neighbour at once. */
function strideFor(count: number): number {
  const wanted = Array.from({ length: count }, (_, step) => step).find((step) => step >= count / 3 && coprime(step, count))
  return wanted ?? 1
}

function coprime(a: number, b: number): boolean {
  return b === 0 ? a === 1 : coprime(b, a % b)
}

function r(value: number): number {
  return Math.round(value * 10) / 10
}
