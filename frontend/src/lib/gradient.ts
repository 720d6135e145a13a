// The gradients of the home page, chosen by a number from 0 up to 1.
import type { ColorStyle } from './colors'

const GRADIENTS = [
  ['#e11d62', '#f59e0b'],
  ['#f59e0b', '#0d9488'],
  ['#0d9488', '#7c3aed'],
  ['#2563eb', '#db2777'],
] as const

export function chooseGradient(random: number): ColorStyle {
  const [from, to] = GRADIENTS[Math.min(GRADIENTS.length - 1, Math.floor(random * GRADIENTS.length))] ?? GRADIENTS[0]
  return { '--from': from, '--to': to }
}
