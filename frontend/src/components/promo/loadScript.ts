/** Loads a third-party script. Rejects if it fails to load. */
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

/** Hides our content in the box once it is filled. */
export function markFilled(place: HTMLElement, filled: boolean): void {
  place.closest<HTMLElement>('.promo')?.toggleAttribute('data-filled', filled)
}
