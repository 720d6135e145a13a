// The paths of the drawing on the home page. Strands start as one rope, cross and spread, one for each library; below the
// drawing the loose ends of the rope run down to the cards of the libraries.

export const WIDTH = 560
export const HEIGHT = 470

export interface Strand {
  /** In units of the SVG's view box. */
  path: string
  /** The same strand pulled taut. It has the commands of `path`, so that CSS can animate one into the other. */
  taut: string
  /** Horizontal position of its lower end. */
  foot: number
  end: { x: number; y: number }
}

const BASE = { x: WIDTH / 2, apart: 10 }
/** The point where the strands spread after crossing. */
const CROSSING = { x: WIDTH / 2, y: HEIGHT - 132 }
/** Largest angle between the vertical and the outermost strands, and what each strand adds to it, in degrees. */
const SPREAD = 80
const SPREAD_OF_STRAND = 22
/** The radii of two arcs, on which the ends alternate so that neighbors have room. The last strand is on the outer one. */
const ARC_RADII = [288, 204] as const
/** Ratio of the arcs' width to their height, and the control points of the curves. */
const ARC_WIDTH_RATIO = 0.88
const RISE = 0.36
const TURN = { x: 0.52, y: 0.32 }

/** From left to right. */
export function drawStrands(count: number): Strand[] {
  const stride = chooseStride(count)
  const spread = Math.min(SPREAD, SPREAD_OF_STRAND * (count - 1))
  return Array.from({ length: count }, (_, index) => {
    const turn = count > 1 ? (index / (count - 1)) * 2 - 1 : 0
    const angle = (turn * spread * Math.PI) / 180
    const reach = ARC_RADII[(count - 1 - index) % 2 === 0 ? 0 : 1]
    const way = { x: reach * ARC_WIDTH_RATIO * Math.sin(angle), y: -reach * Math.cos(angle) }
    const end = { x: CROSSING.x + way.x, y: CROSSING.y + way.y }
    const aside = (((index * stride) % count) - (count - 1) / 2) * BASE.apart
    const foot = BASE.x + aside
    const knot = { x: CROSSING.x - aside * 0.7, y: CROSSING.y }
    const path = [
      `M${round(foot)} ${HEIGHT}`,
      `C${round(foot)} ${HEIGHT - 66} ${round(knot.x)} ${knot.y + 62} ${round(knot.x)} ${knot.y}`,
      `C${round(knot.x)} ${round(knot.y - reach * RISE)} ${round(end.x - way.x * TURN.x)} ${round(end.y - way.y * TURN.y)} ${round(end.x)} ${round(end.y)}`,
    ]
    return { path: path.join(''), taut: drawTaut(foot, knot, end), foot: round(foot), end: { x: round(end.x), y: round(end.y) } }
  })
}

interface Point {
  x: number
  y: number
}

/** Half the width of a tile, and the widths of labels, as in FamilyDrawing.css: shares of the width of the drawing. */
const HALF_TILE = 0.046
const HALF_LABEL = 0.085
const LABEL_MARGIN = 0.011

/** What a label below the text of the page can take without reaching another tile or label: a share of the width of the drawing, and lines. */
export function labelRoom(count: number): { share: number; lines: number } {
  if (count > 9) return { share: 0.17, lines: 1 }
  return { share: count > 7 ? 0.18 : 0.24, lines: 2 }
}

/** What no tile and no label reaches on the left, as a share of the width of the drawing. */
export function freeShare(strands: readonly Strand[]): number {
  const edges = strands.map(({ end }) => end.x / WIDTH - Math.max(HALF_TILE, Math.min(HALF_LABEL, end.x / WIDTH - LABEL_MARGIN)))
  return Math.floor(Math.max(0, Math.min(0.5, ...edges)) * 1000) / 1000
}

/** Straight from the foot to the knot, and from there to the end. */
function drawTaut(foot: number, knot: Point, end: Point): string {
  const points = [{ x: foot, y: HEIGHT }, knot, end] as const
  const curves = [
    [points[0], points[1]],
    [points[1], points[2]],
  ] as const
  const drawn = curves.map(([from, to]) =>
    [1 / 3, 2 / 3, 1].map((share) => `${round(from.x + (to.x - from.x) * share)} ${round(from.y + (to.y - from.y) * share)}`),
  )
  return `M${round(foot)} ${HEIGHT}${drawn.map((triple) => `C${triple.join(' ')}`).join('')}`
}

/** The view box of loose ends; it is stretched to the width of the cards and to the height between drawing and cards. */
export const ROOT_BOX = { width: 1000, height: 100 }

/** A loose end, from the foot of its strand to the top of the cards. Both are shares of the width of the cards. */
export function drawRoot(foot: number, card: number): string {
  const [from, to] = [round(foot * ROOT_BOX.width), round(card * ROOT_BOX.width)]
  return `M${from} 0C${from} 72 ${to} 34 ${to} ${ROOT_BOX.height}`
}

/** A step coprime to the count, so that it visits every position once and never an adjacent one next. */
function chooseStride(count: number): number {
  const wanted = Array.from({ length: count }, (_, step) => step).find((step) => step >= count / 3 && coprime(step, count))
  return wanted ?? 1
}

function coprime(a: number, b: number): boolean {
  return b === 0 ? a === 1 : coprime(b, a % b)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
