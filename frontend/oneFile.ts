// Vite plugin: the modules of one bundle are built for it alone, so that pages load it as one file instead of the file and
// the chunks that it would share with others. For bundles that are small, or that a reader waits for.
import { basename } from 'node:path'
import type { Plugin } from 'vite'

/** Stay chunks that all share: React, which is larger than such a bundle, and Trusted Types, of which a page creates each policy once. */
const SHARED = /\/node_modules\/(?:react|react-dom|scheduler)\/|\/src\/api\/html\.ts$/
/** Texts, whose imports Vite resolves by their id. */
const STYLESHEET = /\.css(?:\?|$)/
/** Modules of plugins. */
const VIRTUAL = '\0'
/** Vite's wrapper of dynamic imports, which all bundles share. */
const VITE_IMPORT = `${VIRTUAL}vite/preload-helper.js`
const OWN_IMPORT = `${VIRTUAL}one-file-import.js`
/** The wrapper as far as these bundles need it: it reports a failure (boot/staleBuild.ts), and loads no stylesheets. */
const IMPORT = `export const __vitePreload = (load) => load().catch((failure) => {
  dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: failure }))
  throw failure
})`

export function oneFile(entry: string): Plugin {
  // Without a slash: chunks are named by what follows the last one of an id.
  const copy = `?only=${basename(entry)}`
  return {
    name: `one-file ${entry}`,
    // Before Vite's own resolution.
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || !(importer.endsWith(entry) || importer.endsWith(copy))) return
      if (source === VITE_IMPORT) return `${OWN_IMPORT}${copy}`
      if (source.startsWith(VIRTUAL)) return
      const resolved = await this.resolve(source, importer.replace(copy, ''), { ...options, skipSelf: true })
      if (!resolved || resolved.external || SHARED.test(resolved.id) || STYLESHEET.test(resolved.id)) return resolved
      return { ...resolved, id: `${resolved.id}${copy}` }
    },
    load: (id) => (id === `${OWN_IMPORT}${copy}` ? IMPORT : undefined),
  }
}
