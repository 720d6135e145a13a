// The files of the build. They are named here and not in each page, which would have 2 kB more.
import type { BuildFiles } from '../lib/bootApi'

/** Put before the boot script by `manifest.ts`, when all other files have their names. Without the folder of each, which all share. */
declare const BUILD_FILES: BuildFiles

/** Publishes the addresses, below the base path of the site, to all bundles. */
export function publishBuildFiles(): void {
  const { base } = window.__kinfolk
  const placed = Object.entries(BUILD_FILES).map(([name, urls]) => [name, urls.replace(/\S+/g, `${base}/assets/$&`)])
  window.__kinfolk.files = Object.fromEntries(placed)
}
