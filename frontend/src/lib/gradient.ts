// The colors of the home page, chosen by a number from 0 up to 1.
import type { ColorStyle } from './colors'

/** Pairs of hues in OKLCH, at most 60 degrees apart: mixed, they stay clear. Dark yellows and oranges look brown or olive. */
export const HUE_PAIRS = [
  [195, 250],
  [225, 283],
  [165, 215],
  [278, 330],
] as const

export function chooseGradient(random: number): ColorStyle {
  const [from, to] = HUE_PAIRS[Math.min(HUE_PAIRS.length - 1, Math.floor(random * HUE_PAIRS.length))] ?? HUE_PAIRS[0]
  return { '--from': color(from), '--to': color(to) }
}

function color(hue: number): string {
  return `oklch(0.62 0.17 ${hue})`
}
