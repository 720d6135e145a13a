/** Announces a message to screen readers. */
export function announce(message: string): void {
  const liveRegion = document.getElementById('announcer')
  if (liveRegion) liveRegion.textContent = message
}
