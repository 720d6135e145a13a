// Vite plugin: resolves what the demos in `data/` import to this folder's packages, in the versions that landing pages install.
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const DEMO = /\/data\/libraries\/[^/]+\/demo\.tsx$/
const IMPORTER = fileURLToPath(new URL('src/entry.demos.tsx', import.meta.url))
/** Packages of which this site itself uses another version. tsconfig.demos.json has the same. */
const RENAMED: Readonly<Record<string, string>> = { '@tanstack/react-table': 'react-table-8' }

export function demoImports(): Plugin {
  return {
    name: 'demo-imports',
    enforce: 'pre',
    resolveId(source, importer, options) {
      if (!importer || !DEMO.test(importer) || /^[./]/.test(source)) return
      return this.resolve(RENAMED[source] ?? source, IMPORTER, { ...options, skipSelf: true })
    },
  }
}
