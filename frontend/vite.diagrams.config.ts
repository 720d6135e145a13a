import { defineConfig } from 'vite'

// Apart from the rest, so that the app shares no file with Mermaid. Adds to what the client's build has written.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'dist/client',
    emptyOutDir: false,
    manifest: '.vite/diagrams.json',
    modulePreload: false,
    // Mermaid is what it is; nobody waits for it.
    chunkSizeWarningLimit: 2000,
    rollupOptions: { input: { diagrams: 'src/diagrams.ts' }, preserveEntrySignatures: 'strict' },
  },
})
