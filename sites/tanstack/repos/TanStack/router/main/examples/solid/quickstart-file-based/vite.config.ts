import { tanstackRouter } from '@tanstack/router-plugin/vite'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'

export default defineConfig({
  plugins: [
    // The router's plugin writes src/routeTree.gen.ts and has to run before Solid's.
    tanstackRouter({ target: 'solid', autoCodeSplitting: true }),
    solid(),
  ],
})
