// Loads the bundles that a page does not need before the reader interacts with it: the app, the search dialog, promotions.
import type { BuildFiles } from '../lib/bootApi'
import { HYDRATED } from '../lib/events'
import { reloadIfStale } from './staleBuild'
import { loadSiteStyles, loadWholeStyles } from './documentStyles'

type Bundle = Exclude<keyof BuildFiles, 'diagrams' | 'diagramFrame' | 'areas'>

/** Loads the stylesheets that the components of a bundle need. The other bundles add only what `manifest.ts` finds in them. */
const STYLES: Partial<Record<Bundle, () => Promise<unknown>>> = { app: loadWholeStyles, searchDialog: loadSiteStyles }

/** By their files. */
const loading = new Map<string, Promise<unknown>>()

function filesOf(bundle: Bundle): string {
  // React would fail in the browser as it did on the server.
  if (bundle === 'app' && document.querySelector('script[data-boot][data-failed]')) return ''
  return window.__kinfolk.files?.[bundle] ?? ''
}

let failures = 0

/** Imports a file that no other imports. After a failure it has another fragment, with which browsers request it again. */
function importAgain(url: string): Promise<unknown> {
  return import(/* @vite-ignore */ failures ? `${url}#${failures}` : url)
}

/** Downloads a file into the browser's cache, from which import() reads it: Chromium never repeats a failed import(), but does a failed fetch(). */
async function download(url: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`Cannot load ${url}: status ${response.status}`)
  await response.arrayBuffer()
}

/** Imports the bundle once. Undefined on a page without it. A failure is retried by the next call. */
export function loadBundle(bundle: Bundle): Promise<unknown> | undefined {
  const files = filesOf(bundle)
  return files ? loadFiles(files, STYLES[bundle]) : undefined
}

/** Downloads files, separated by spaces, and imports the first, after the stylesheets. As `loadBundle`. */
export function loadFiles(files: string, loadStyles?: () => Promise<unknown>): Promise<unknown> {
  let imported = loading.get(files)
  if (!imported) {
    const urls = files.split(' ')
    // All at once: the browser learns of a file's imports only when it has the file. A single one has none, and needs one request.
    const [first = ''] = urls
    imported = urls.length > 1 ? Promise.all([...urls.map(download), loadStyles?.()]).then(() => import(/* @vite-ignore */ first)) : importAgain(first)
    imported.catch(() => {
      failures += 1
      loading.delete(files)
      void reloadIfStale()
    })
    loading.set(files, imported)
  }
  return imported
}

/** Whether React hydrates the page, or will: it then owns the document. */
export function isAppLoading(): boolean {
  return loading.has(filesOf('app'))
}

/** Loads the app. The promise resolves once the page is hydrated; it is rejected if the app cannot be loaded. */
export function loadApp(): Promise<void> | undefined {
  const imported = loadBundle('app')
  return imported?.then(
    () =>
      new Promise((resolve) => {
        if (window.__kinfolk.hydrated) resolve()
        else document.addEventListener(HYDRATED, () => resolve(), { once: true })
      }),
  )
}
