// Shades of a series' color with a contrast of 3:1 (WCAG 1.4.11) to the surfaces of both themes.
import type { CSSProperties } from 'react'

/** Surfaces of the themes that charts are on: `--surface` and `--overlay` of tokens.css, the darkest light one first. */
export const SURFACES = { light: ['#f6f4ef', '#fdfcfa', '#ffffff'], dark: ['#211f1c', '#1c1b18', '#141311'] } as const

const CONTRAST = 3
const STEPS = 50
const FALLBACK = '#808080'

export interface Shades {
  light: string
  dark: string
}

type Rgb = readonly [number, number, number]

const known = new Map<string, Shades>()
const MOST_KNOWN = 500

/** `color` is `#rrggbb`; anything else counts as gray. */
export function shadesOf(color: string): Shades {
  const cached = known.get(color)
  if (cached) return cached
  if (known.size >= MOST_KNOWN) known.clear()
  const rgb = parse(color) ?? parse(FALLBACK) ?? [0, 0, 0]
  const shades = { light: shade(rgb, [0, 0, 0], SURFACES.light[0]), dark: shade(rgb, [255, 255, 255], SURFACES.dark[0]) }
  known.set(color, shades)
  return shades
}

/** A custom property for components in the color of a series. */
export interface SeriesStyle extends CSSProperties {
  '--series': string
}

export function seriesStyle(color: string): SeriesStyle {
  const { light, dark } = shadesOf(color)
  return { '--series': `light-dark(${light}, ${dark})` }
}

/** The contrast ratio of two `#rrggbb` colors by WCAG 2.2: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other].map((color) => luminance(parse(color) ?? [0, 0, 0])).toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** The color, mixed with `end` as little as the contrast needs. */
function shade(color: Rgb, end: Rgb, surface: string): string {
  for (let step = 0; step < STEPS; step++) {
    const mixed = toHex(mix(color, end, step / STEPS))
    if (contrast(mixed, surface) >= CONTRAST) return mixed
  }
  return toHex(end)
}

function mix(color: Rgb, end: Rgb, share: number): Rgb {
  const at = (channel: 0 | 1 | 2) => Math.round(color[channel] + (end[channel] - color[channel]) * share)
  return [at(0), at(1), at(2)]
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function parse(color: string): Rgb | null {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return null
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function toHex([red, green, blue]: Rgb): string {
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`
}
