// The colours that drift behind the home page: where they are, and when they move. Pure, for `backdrop.ts`.

/** The first picture fades in so fast; later ones glide there. */
export const FIRST_MS = 2000
export const LATER_MS = 4000
/** How long a picture stays. */
export const PAUSE_MS = 2 * 60 * 1000
/** Slow, fast, slow. */
export const EASING = 'cubic-bezier(0.645, 0.045, 0.355, 1)'
/** Angles on the colour wheel, one for each blob. */
export const HUES = [10, 40, 150, 200] as const
/** In CSS pixels. */
export const LEAST_RADIUS = 700
export const GREATEST_RADIUS = 1200

/** `x` and `y` are shares of the window, so that a picture fits it however large it becomes. */
export interface Blob {
  hue: number
  x: number
  y: number
  radius: number
}

/** Four blobs somewhere; `random` gives numbers from 0 up to 1. */
export function picture(random: () => number): Blob[] {
  return HUES.map((hue) => ({
    hue,
    x: random(),
    y: random(),
    radius: LEAST_RADIUS + random() * (GREATEST_RADIUS - LEAST_RADIUS),
  }))
}

export interface Step {
  duration: number
  /** From the beginning of this step to that of the next one. */
  next: number
}

/** The first step is number 0. */
export function step(number: number): Step {
  const duration = number === 0 ? FIRST_MS : LATER_MS
  return { duration, next: duration + PAUSE_MS }
}

/** How a blob that is drawn with a radius of `drawn` pixels around the window's corner comes to its place. */
export function placed({ x, y, radius }: Blob, drawn: number): string {
  return `translate(${share(x)}vw, ${share(y)}vh) scale(${(radius / drawn).toFixed(4)})`
}

function share(part: number): string {
  return (part * 100).toFixed(2)
}
