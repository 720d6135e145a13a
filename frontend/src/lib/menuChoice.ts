// An entry of the framework menu or the version menu.

import type { SitePath } from './paths'

export interface MenuChoice {
  key: string
  label: string
  href: SitePath
  /** The title of the target, if it is another page. */
  note: string | null
  current: boolean
  /** The framework that the entry is about. */
  framework?: string
}

export function describeTarget(title: string | null | undefined): string | null {
  return title ? `opens “${title}”` : null
}
