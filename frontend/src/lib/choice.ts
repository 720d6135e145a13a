// One entry of a menu in which the reader changes what they read.

export interface Choice {
  key: string
  label: string
  href: string
  /** Where it leads, when that is not the same page. */
  note: string | null
  current: boolean
  /** A step of the palette. */
  color?: string
}

export function opens(title: string | null | undefined): string | null {
  return title ? `opens “${title}”` : null
}
