import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { demoImports } from './demoImports.ts'
import { inlineScript } from './inlineScript.ts'
import { oneFile } from './oneFile.ts'
import { packageMarkup } from './packageMarkup.ts'

// Parts of the site whose stylesheet only their pages load.
const AREAS = [
  'web-fonts',
  'site-layout',
  'announcement',
  'home',
  'sponsors',
  'landing',
  'prose-page',
  'message-page',
  'examples',
  'blog',
  'post-tags',
  'open-release',
  'releases',
  'difference',
  'reference',
  'extensions',
  'search',
  'statistics',
  'promo',
  'interactive',
  'design',
  'accounts',
  'page-notes',
  'page-marks',
  'upgrade',
]

// Bundles for the browser: the boot script, what it loads on demand, stylesheets.
const CLIENT = {
  boot: 'src/entry.boot.ts',
  app: 'src/entry.app.tsx',
  searchDialog: 'src/entry.search.tsx',
  promotions: 'src/entry.promo.ts',
  reader: 'src/entry.reader.ts',
  live: 'src/entry.live.ts',
  demos: 'src/entry.demos.tsx',
  backdrop: 'src/entry.backdrop.ts',
  upgradeScript: 'src/entry.upgrade.ts',
  exportSearch: 'src/entry.exportSearch.ts',
  codeNames: 'src/entry.codeNames.ts',
  site: 'src/styles/site.css',
  ...Object.fromEntries(AREAS.map((area) => [area, `src/styles/${area}.css`])),
}

export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: [
    inlineScript(),
    demoImports(),
    oneFile(CLIENT.live),
    oneFile(CLIENT.reader),
    oneFile(CLIENT.searchDialog),
    oneFile(CLIENT.codeNames),
    packageMarkup(),
    // All routes are in one file. A page that is too large for it goes into a `.lazy.tsx` beside its route.
    tanstackRouter({ target: 'react', autoCodeSplitting: false, quoteStyle: 'single', semicolons: false }),
    react(),
  ],
  // Stylesheets refer to files beside them, so that the site can be served below any path (decisions/0023).
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'css' ? { relative: true } : undefined) },
  define: {
    'process.env.NODE_ENV': JSON.stringify(mode),
    // A page depends on its URL and the answers only, not on the time.
    ...(isSsrBuild ? { 'Date.now': '__epoch' } : {}),
  },
  // The condition `worker` selects the router's server build and React's renderer for web streams.
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
        // Constants are inlined, so that the boot script shares no file with the app.
        rollupOptions: {
          input: CLIENT,
          preserveEntrySignatures: 'exports-only',
          optimization: { inlineConst: { mode: 'all', pass: 2 } },
          // Each page has the names of forty files. That of a chunk which others share says nothing that its hash does not, and
          // hexadecimal digits make a compressed page shorter than letters of both cases. Seven of them tell a file from a former one.
          output: {
            hashCharacters: 'hex',
            // `manifest.ts` writes the boot script with the names of all other files.
            entryFileNames: ({ name }) => (name === 'boot' ? '.vite/boot.js' : 'assets/[name]-[hash:7].js'),
            assetFileNames: 'assets/[name]-[hash:7][extname]',
            chunkFileNames: ({ isDynamicEntry }) => (isDynamicEntry ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js'),
          },
        },
      },
}))
