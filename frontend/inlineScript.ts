// Vite plugin: builds `src/entry.inline.ts` and exports the minified script as the string `virtual:inline-script`.
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { build } from 'vite'

const NAME = 'virtual:inline-script'
const ENTRY = fileURLToPath(new URL('src/entry.inline.ts', import.meta.url))

async function buildInlineScript(): Promise<string> {
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
  const [script, ...rest] = outputs.flatMap((file) => (file.type === 'chunk' ? [file.code.trim()] : []))
  if (!script || rest.length > 0) throw new Error(`${ENTRY} must become one script`)
  // The text stands between script tags.
  if (/<\/script|<!--/i.test(script)) throw new Error(`${ENTRY} holds what would end its script element`)
  return script
}

export function inlineScript(): Plugin {
  return {
    name: 'inline-script',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: async (id) => (id === `\0${NAME}` ? `export const INLINE_SCRIPT = ${JSON.stringify(await buildInlineScript())}` : undefined),
  }
}
