import { defineConfig } from 'vite'

// A build of its own, so that the app shares no file with Mermaid. Adds to the output of the client build.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'dist/client',
    emptyOutDir: false,
    manifest: '.vite/diagrams.json',
    modulePreload: false,
    // Mermaid is large. It is loaded when a diagram is about to become visible.
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      input: { diagrams: 'src/entry.diagrams.ts', diagramFrame: 'src/entry.diagramFrame.ts' },
      preserveEntrySignatures: 'strict',
      // The boot script names both.
      output: { hashCharacters: 'hex', entryFileNames: 'assets/[name]-[hash:7].js' },
    },
  },
})
