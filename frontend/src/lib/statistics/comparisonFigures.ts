// Figures of the table of a comparison, as text.
import { formatShort } from './chart/numbers'
import { formatNumber } from '../format'

/** All digits. */
export function formatFigure(count: number): string {
  return formatNumber(Math.round(count))
}

/** `+12.5%`. */
export function formatChange(percent: number): string {
  return formatShort(percent, 'signed-percent')
}

export function formatShare(percent: number): string {
  return formatShort(percent, 'percent')
}
