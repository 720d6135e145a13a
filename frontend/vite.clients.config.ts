import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The page with the official search clients, for the tests alone: nothing of it is served.
export default defineConfig({
  root: 'clients',
  base: './',
  publicDir: false,
  plugins: [react()],
  build: { emptyOutDir: true, chunkSizeWarningLimit: 2000 },
})
