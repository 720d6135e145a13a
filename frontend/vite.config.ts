import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Parts of the site with a stylesheet of their own, which only their pages load.
const AREAS = ['frame', 'home', 'sponsors', 'landing', 'plain', 'examples', 'blog', 'search', 'promo', 'parts', 'design']

// Files for the browser, each under its own name: the starter, what it fetches, the styles.
const CLIENT = {
  starter: 'src/entry.browser.ts',
  app: 'src/app.tsx',
  backdrop: 'src/backdrop.ts',
  site: 'src/styles/site.css',
  ...Object.fromEntries(AREAS.map((area) => [area, `src/styles/${area}.css`])),
}

export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: [
    // The app is one file; a page too heavy for it goes into a `.lazy.tsx` beside its route.
    tanstackRouter({ target: 'react', autoCodeSplitting: false, quoteStyle: 'single', semicolons: false }),
    react(),
    // Its optimizer writes for browsers without `light-dark`, which have no popovers either.
    tailwindcss({ optimize: false }),
  ],
  define: {
    'process.env.NODE_ENV': JSON.stringify(mode),
    // A page is a function of its address and the answers: no clock.
    ...(isSsrBuild ? { 'Date.now': '__epoch' } : {}),
  },
  // The condition "worker" tells the router that it is on the server, and picks React's renderer for web streams.
  ...(isSsrBuild
    ? {
        resolve: { conditions: ['worker', 'module', 'import', 'default'] },
        ssr: {
          target: 'webworker',
          noExternal: true,
          resolve: { conditions: ['worker', 'module', 'import', 'production', 'default'] },
        },
      }
    : {}),
  build: isSsrBuild
    ? {
        outDir: 'dist/ssr',
        emptyOutDir: true,
        target: 'es2022',
        minify: true,
        copyPublicDir: false,
        rollupOptions: { output: { format: 'iife', name: '__SSR', entryFileNames: 'ssr.js' } },
      }
    : {
        outDir: 'dist/client',
        emptyOutDir: true,
        manifest: true,
        modulePreload: false,
        cssTarget: ['chrome123', 'firefox125', 'safari17.5'],
        // Constants are written where they are used, so the starter shares no file with the app.
        rollupOptions: { input: CLIENT, optimization: { inlineConst: { mode: 'all', pass: 2 } } },
      },
}))
