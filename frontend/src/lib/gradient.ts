// The colors of the home page, chosen by a number from 0 up to 1.
import type { ColorStyle } from './colors'

/** Pairs of hues in OKLCH, at most 60 degrees apart: mixed, they stay clear. Dark yellows and oranges look brown or olive. */
export const HUE_PAIRS = [
  [195, 250],
  [225, 283],
  [165, 215],
  [278, 330],
] as const

/** `own` are the colors of a brand, which take the place of the hues. */
export function chooseGradient(random: number, own: readonly string[] | null): ColorStyle {
  const [start, end] = own ?? []
  if (start && end) return { '--from': start, '--to': end }
  const [from, to] = HUE_PAIRS[Math.min(HUE_PAIRS.length - 1, Math.floor(random * HUE_PAIRS.length))] ?? HUE_PAIRS[0]
  return { '--from': color(from), '--to': color(to) }
}

function color(hue: number): string {
  return `oklch(0.62 0.17 ${hue})`
}
