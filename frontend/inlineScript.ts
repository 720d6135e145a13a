// Vite plugin: builds `src/entry.inline.ts` and exports the minified script as the string `virtual:inline-script`.
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { build } from 'vite'

const NAME = 'virtual:inline-script'
const ENTRY = fileURLToPath(new URL('src/entry.inline.ts', import.meta.url))

interface InlineScript {
  code: string
  /** The modules that it is built from. */
  modules: string[]
}

/** The script as it stands in pages. */
export async function buildInlineScript(): Promise<InlineScript> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: {
      write: false,
      target: ['chrome123', 'firefox125', 'safari17.5'],
      minify: true,
      rollupOptions: { input: ENTRY, output: { format: 'iife' }, optimization: { inlineConst: { mode: 'all', pass: 2 } } },
    },
  })
  const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
  const [script, ...rest] = outputs.flatMap((file) => (file.type === 'chunk' ? [file] : []))
  const code = script?.code.trim()
  if (!code || rest.length > 0) throw new Error(`${ENTRY} must become one script`)
  // The text stands between script tags.
  if (/<\/script|<!--/i.test(code)) throw new Error(`${ENTRY} holds what would end its script element`)
  return { code, modules: script?.moduleIds.filter((id) => isAbsolute(id)) ?? [] }
}

export function inlineScript(): Plugin {
  let built: InlineScript | undefined
  return {
    name: 'inline-script',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return
      built ??= await buildInlineScript()
      for (const module of built.modules) this.addWatchFile(module)
      return `export const INLINE_SCRIPT = ${JSON.stringify(built.code)}`
    },
    watchChange(id) {
      if (built?.modules.includes(id)) built = undefined
    },
  }
}
