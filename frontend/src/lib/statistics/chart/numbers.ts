// Numbers of a chart as text, equal on server and client: `Intl` depends on the engine's data.
import type { ValueAxis } from '../../../api/generated'
import { formatNumber } from '../../format'

type ValueKind = ValueAxis['kind']

const SUFFIXES = ['', 'k', 'M', 'B', 'T'] as const
const MINUS = '\u2212'
/** From here on suffixes end. */
const MAX_COMPACT = 1e15
/** The largest number that JavaScript writes without an exponent, rounded down to a thousand thousands. */
const MAX_PLAIN = 1e18

/** `1.2k`, `3.4M`: at most three significant digits. */
export function formatCompact(value: number): string {
  const sign = value < 0 ? MINUS : ''
  const size = Math.abs(value)
  if (size === 0) return '0'
  if (size < 0.001 || size >= MAX_COMPACT) return sign + size.toExponential(1).replace('.0e', 'e').replace('+', '')
  let scaled = size
  let step = 0
  while (roundTo(scaled, decimalsOf(scaled)) >= 1000 && step < SUFFIXES.length - 1) {
    scaled /= 1000
    step++
  }
  return `${sign}${roundTo(scaled, decimalsOf(scaled))}${SUFFIXES[step]}`
}

/** For ticks and end labels. */
export function formatShort(value: number, kind: ValueKind): string {
  switch (kind) {
    case 'count':
    case 'index':
      return formatCompact(value)
    case 'percent':
      return `${formatCompact(value)}%`
    case 'signed-percent':
      return `${value > 0 ? '+' : ''}${formatCompact(value)}%`
  }
}

/** For tooltips: counts have all digits. */
export function formatExact(value: number, kind: ValueKind): string {
  if (kind !== 'count' || Math.abs(value) >= MAX_PLAIN) return formatShort(value, kind)
  if (Math.abs(value) < 10 && !Number.isInteger(value)) return formatCompact(value)
  return (Math.round(value) < 0 ? MINUS : '') + formatNumber(Math.abs(Math.round(value)))
}

function decimalsOf(size: number): number {
  if (size >= 100) return 0
  if (size >= 10) return 1
  return size >= 0.1 ? 2 : 3
}

function roundTo(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals
}
