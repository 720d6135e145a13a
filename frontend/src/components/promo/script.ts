/** Loads a script of somebody else; fails when it does not come. */
export function loadScript(src: string, id = '', into: Element = document.head): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.async = true
    script.src = src
    script.id = id
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error(`${src} did not come`)))
    into.append(script)
  })
}

/** What one box is told once something is in it: ours steps back. */
export function markFilled(place: HTMLElement, filled: boolean): void {
  place.closest<HTMLElement>('.promo')?.toggleAttribute('data-filled', filled)
}
