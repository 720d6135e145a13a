import { defineConfig, mergeConfig } from 'vite'
import { tanstackViteConfig } from '@tanstack/vite-config'

const own = defineConfig({
  // Plugins of your framework, settings of your tests.
})

// `vite build` then writes ES modules, CommonJS and type declarations for both.
export default mergeConfig(
  own,
  tanstackViteConfig({
    entry: './src/index.ts',
    srcDir: './src',
  }),
)
