import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    // The router's plugin writes src/routeTree.gen.ts and has to run before React's.
    tanstackRouter({ target: 'react', autoCodeSplitting: true }),
    react(),
  ],
})
