// The area of the square that the circles fill, and the size of names in circles.
import type { PackedSponsor } from '../../api/generated'

/** Width of a letter as a share of the font size: above the average of real names. */
const LETTER_WIDTH = 0.62
/** Maximum width of a name, as a share of the circle's diameter. */
const MAX_LINE_SHARE = 0.82
/** Maximum font size, as a share of the circle's diameter. */
const MAX_TYPE_SHARE = 0.18
/** Width of the pack on a large screen, and the smallest readable font size there, in CSS pixels. */
const PACK_WIDTH_PX = 640
const MIN_TYPE_PX = 9

/** Top and height of the area that the circles fill, as shares of the square's side. */
export function packBounds(circles: readonly Pick<PackedSponsor, 'y' | 'r'>[]): { top: number; height: number } {
  const top = Math.min(...circles.map(({ y, r }) => y - r))
  return { top, height: Math.max(...circles.map(({ y, r }) => y + r)) - top }
}

/** The font size at which the name fits, as a share of the square; null if it is not readable. */
export function labelSize({ name, r }: Pick<PackedSponsor, 'name' | 'r'>): number | null {
  const size = Math.min((2 * r * MAX_LINE_SHARE) / (LETTER_WIDTH * name.length), 2 * r * MAX_TYPE_SHARE)
  return size * PACK_WIDTH_PX < MIN_TYPE_PX ? null : size
}

/** The initials of a name, for a circle that is too small for it. */
export function sponsorInitials(name: string): string {
  const words = name.split(/[\s.-]+/).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}

/** The radius from which a tooltip has room within the circle, and none beside it. */
const LARGE = 0.25

/** The side of a circle's tooltip: towards the center of the pack. */
export function tooltipSide({ x, r }: Pick<PackedSponsor, 'x' | 'r'>): 'left' | 'right' | 'inside' {
  if (r >= LARGE) return 'inside'
  return x > 0.5 ? 'left' : 'right'
}
