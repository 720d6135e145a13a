import { qwikVite } from '@builder.io/qwik/optimizer'
import { defineConfig } from 'vite'

export default defineConfig({
  // Everything happens in the browser; there is no server to resume from.
  plugins: [qwikVite({ csr: true })],
})
