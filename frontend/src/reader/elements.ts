import { ANNOUNCER_ID } from '../lib/layoutIds'

/** A new element with these properties and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  children: (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** Announces a message to screen readers. Not shared with the boot script, which must be one file. */
export function announce(message: string): void {
  const liveRegion = document.getElementById(ANNOUNCER_ID)
  if (liveRegion) liveRegion.textContent = message
}
