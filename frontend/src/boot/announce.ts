import { ANNOUNCER_ID } from '../lib/layoutIds'

/** Announces a message to screen readers. */
export function announce(message: string): void {
  const liveRegion = document.getElementById(ANNOUNCER_ID)
  if (liveRegion) liveRegion.textContent = message
}
