import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Builds a page with the official search clients, for tests. The site does not serve it.
export default defineConfig({
  root: 'clients',
  base: './',
  publicDir: false,
  plugins: [react()],
  build: { emptyOutDir: true, chunkSizeWarningLimit: 2000 },
})
