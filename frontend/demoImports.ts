// Vite plugin: the module `virtual:demos` has the demos of the sites in this repository, and what they import is resolved to this
// folder's packages, in the versions that landing pages install. A package of the engine alone is built with KINFOLK_DEMOS=off.
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const DEMO = /\/libraries\/([^/]+)\/demo\.tsx$/
const MODULE = 'virtual:demos'
const LOADED = `\0${MODULE}`
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const IMPORTER = fileURLToPath(new URL('src/entry.demos.tsx', import.meta.url))
/** Packages of which this site itself uses another version. tsconfig.demos.json has the same. */
const RENAMED: Readonly<Record<string, string>> = { '@tanstack/react-table': 'react-table-8' }

function demoFiles(): string[] {
  return process.env.KINFOLK_DEMOS === 'off' ? [] : globSync('sites/*/libraries/*/demo.tsx', { cwd: ROOT }).toSorted()
}

/** The demos by the id of their library: each is a chunk of its own. */
function demoModule(): string {
  const entries = demoFiles().map((file) => `${JSON.stringify(DEMO.exec(`/${file}`)?.[1])}: () => import(${JSON.stringify(ROOT + file)})`)
  return `export const demos = { ${entries.join(', ')} }`
}

export function demoImports(): Plugin {
  return {
    name: 'demo-imports',
    enforce: 'pre',
    resolveId(source, importer, options) {
      if (source === MODULE) return LOADED
      if (!importer || !DEMO.test(importer) || /^[./]/.test(source)) return
      return this.resolve(RENAMED[source] ?? source, IMPORTER, { ...options, skipSelf: true })
    },
    load: (id) => (id === LOADED ? demoModule() : undefined),
  }
}
