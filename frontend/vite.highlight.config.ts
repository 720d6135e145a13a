import { defineConfig } from 'vite'

// One script beside ssr.js, for an isolate of its own. Runs last, since the build of ssr.js empties the folder.
export default defineConfig({
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  build: {
    outDir: 'dist/ssr',
    emptyOutDir: false,
    target: 'esnext',
    minify: true,
    lib: { entry: 'src/highlight/entry.ts', formats: ['iife'], name: '__HL', fileName: () => 'highlight.js' },
  },
})
