import { tanstackStart } from '@tanstack/solid-start/plugin/vite'
import { defineConfig } from 'vite'
import solid from 'vite-plugin-solid'

export default defineConfig({
  plugins: [
    tanstackStart(),
    // Solid's plugin has to come after Start's, and compile for the server as well.
    solid({ ssr: true }),
  ],
})
