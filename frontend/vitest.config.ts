import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { demoImports } from './demoImports.ts'
import { inlineScript } from './inlineScript.ts'

/** Files of tests that replace modules: the others must not see the replacements. */
function filesWithOwnModules(): string[] {
  const files = globSync('src/**/*.test.{ts,tsx}', { cwd: import.meta.dirname })
  return files.filter((file) => /\bvi\.(?:mock|resetModules)\(/.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')))
}

const OWN_MODULES = filesWithOwnModules()
const COMMON = { pool: 'threads' as const, setupFiles: 'tests/setup.ts' }

// Without the plugins of the build: the route tree is generated before the tests run.
export default defineConfig(({ mode }) => ({
  plugins: [inlineScript(), demoImports()],
  define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
  test: {
    // Half of the CPU time was the import of React, the document and the app in each file and worker.
    maxWorkers: 1,
    projects: [
      { extends: true, test: { ...COMMON, name: 'shared modules', isolate: false, exclude: OWN_MODULES, include: ['src/**/*.test.{ts,tsx}'] } },
      { extends: true, test: { ...COMMON, name: 'own modules', include: OWN_MODULES } },
    ],
  },
}))
