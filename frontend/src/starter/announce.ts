/** Tells those who listen to the page what those who look see. */
export function announce(words: string): void {
  const announcer = document.getElementById('announcer')
  if (announcer) announcer.textContent = words
}
