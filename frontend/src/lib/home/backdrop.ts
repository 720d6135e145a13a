// Positions and timing of the blobs behind the home page. Pure, for `backdrop.ts`.

/** Duration of the first fade, and of later moves. */
export const FIRST_MS = 2000
export const LATER_MS = 4000
/** Pause between two moves. */
export const PAUSE_MS = 2 * 60 * 1000
/** Ease in and out. */
export const EASING = 'cubic-bezier(0.645, 0.045, 0.355, 1)'
export const BLOBS = 4
/** In CSS pixels. */
export const MIN_RADIUS = 700
export const MAX_RADIUS = 1200

/** `x` and `y` are shares of the window's size. */
export interface Blob {
  x: number
  y: number
  radius: number
}

/** Four blobs at random positions; `random` returns numbers from 0 up to 1. */
export function drawBlobs(random: () => number): Blob[] {
  return Array.from({ length: BLOBS }, () => ({
    x: random(),
    y: random(),
    radius: MIN_RADIUS + random() * (MAX_RADIUS - MIN_RADIUS),
  }))
}

export interface AnimationStep {
  duration: number
  /** Time from the start of this step to that of the next one. */
  next: number
}

/** The first step is number 0. */
export function animationStep(number: number): AnimationStep {
  const duration = number === 0 ? FIRST_MS : LATER_MS
  return { duration, next: duration + PAUSE_MS }
}

/** The CSS transform of a blob that is drawn with a radius of `drawn` pixels at the window's corner. */
export function blobTransform({ x, y, radius }: Blob, drawn: number): string {
  return `translate(${formatShare(x)}vw, ${formatShare(y)}vh) scale(${(radius / drawn).toFixed(4)})`
}

function formatShare(part: number): string {
  return (part * 100).toFixed(2)
}
