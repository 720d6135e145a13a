import { defineConfig } from 'vite'

// Builds the script of the isolate that checks code, which contains the TypeScript compiler. Runs after the SSR build.
export default defineConfig({
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  build: {
    outDir: 'dist/ssr',
    emptyOutDir: false,
    target: 'esnext',
    minify: true,
    chunkSizeWarningLimit: 5000,
    lib: { entry: 'src/codeCheck/entry.ts', formats: ['iife'], name: '__CODE', fileName: () => 'code-check.js' },
  },
})
