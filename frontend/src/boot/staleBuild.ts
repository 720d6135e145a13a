// After a deploy, the files of the previous build are gone. A page of that build which needs one more of them is loaded again.
import { RELOADED_AT } from '../lib/storageKeys'

/** Servers of two builds behind one address would otherwise reload a page again and again. */
const PAUSE_MS = 300_000

const BOOT = /\sdata-boot="([^"]+)"/

/** Reloads the page once where a file of it cannot load because the site has another build by now. Not without a connection,
 *  nor where the file fails for another reason: the page is of more use than an error. */
export async function reloadIfStale(): Promise<void> {
  const own = document.querySelector<HTMLElement>('script[data-boot]')?.dataset.boot
  if (!own) return
  try {
    const response = await fetch(location.href, { cache: 'no-store', headers: { accept: 'text/html' } })
    const [, current = own] = BOOT.exec(await response.text()) ?? []
    if (current === own || Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < PAUSE_MS) return
    sessionStorage.setItem(RELOADED_AT, `${Date.now()}`)
  } catch {
    // There is no connection, or no storage that ends a loop.
    return
  }
  location.reload()
}

/** Vite's event is about parts of the app, which load others. */
export function watchStaleBuild(): void {
  addEventListener('vite:preloadError', () => void reloadIfStale())
}
