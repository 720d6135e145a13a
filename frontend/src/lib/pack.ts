// The band of its square that the pack fills, and how a sponsor's name is shown in a circle of it.
import type { PackedSponsor } from '../api/generated'

/** Width of a letter, as a share of the size of its type; of the names there are, few come near it. */
const LETTER = 0.62
/** How much of a circle's width a line across its middle may take. */
const ACROSS = 0.82
/** Type in a circle is no larger than this share of its width. */
const LARGEST = 0.18
/** The pack's width on a large screen, and the smallest type that one can read there, in CSS pixels. */
const WIDTH = 640
const READABLE = 9

/** How the circles reach from top to bottom, as shares of the square's side. */
export function band(circles: readonly Pick<PackedSponsor, 'y' | 'r'>[]): { top: number; height: number } {
  const top = Math.min(...circles.map(({ y, r }) => y - r))
  return { top, height: Math.max(...circles.map(({ y, r }) => y + r)) - top }
}

/** The size of type at which the name fits, as a share of the square; none where it could not be read. */
export function nameSize({ name, r }: Pick<PackedSponsor, 'name' | 'r'>): number | null {
  const size = Math.min((2 * r * ACROSS) / (LETTER * name.length), 2 * r * LARGEST)
  return size * WIDTH < READABLE ? null : size
}

/** The initials of a name, for a circle that has no room for more. */
export function initials(name: string): string {
  const words = name.split(/[\s.-]+/).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}

/** On which side of a circle its name stands: towards the middle, where there is room. */
export function side({ x }: Pick<PackedSponsor, 'x'>): 'left' | 'right' {
  return x > 0.5 ? 'left' : 'right'
}
