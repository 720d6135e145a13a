import { defineConfig } from 'vite'

// Builds the script of the highlighting isolate beside ssr.js. Runs after the SSR build, which empties the folder.
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
