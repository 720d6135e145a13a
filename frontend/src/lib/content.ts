/** The page's content, as a place for what opens over it: there it stays within a landmark. None on the server. */
export function content(): HTMLElement | null {
  return typeof document === 'undefined' ? null : document.getElementById('content')
}
