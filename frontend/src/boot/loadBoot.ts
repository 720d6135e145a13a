import { releaseInput } from './earlyInput'

let isLoading = false

/** Loads the boot script once the page is painted: neither its download nor its work delays the text. */
export function loadBootAfterPaint(): void {
  document.addEventListener('DOMContentLoaded', () => {
    // A page in a background tab is not painted.
    if (document.hidden) return loadBoot()
    // Whichever is first: browsers report a paint when it is on the screen, some much later, some not at all.
    requestAnimationFrame(() => setTimeout(loadBoot))
    new PerformanceObserver(loadBoot).observe({ type: 'paint', buffered: true })
  })
}

function markBootEnded(): void {
  window.__kinfolk.bootEnded = true
}

function loadBoot(): void {
  const src = document.querySelector<HTMLElement>('script[data-boot]')?.dataset.boot
  if (!src || isLoading) return
  isLoading = true
  // Links are followed without it.
  import(/* @vite-ignore */ src).catch(releaseInput).finally(markBootEnded)
}
