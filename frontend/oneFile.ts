// Vite plugin: the modules of one bundle are built for it alone, so that pages load it as one file instead of the file and
// the chunks that it would share with others. For small bundles that most pages load.
import type { Plugin } from 'vite'

const COPY = '?one-file'

export function oneFile(entry: string): Plugin {
  return {
    name: 'one-file',
    // Before Vite's own resolution.
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || !(importer.endsWith(entry) || importer.endsWith(COPY))) return
      const resolved = await this.resolve(source, importer.replace(COPY, ''), { ...options, skipSelf: true })
      return resolved && !resolved.external ? `${resolved.id}${COPY}` : resolved
    },
  }
}
