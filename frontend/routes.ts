// Writes src/routeTree.gen.ts from the files in src/routes, for tools that run without Vite.
import { Generator, getConfig } from '@tanstack/router-generator'

const root = import.meta.dirname
await new Generator({ config: getConfig({ target: 'react', quoteStyle: 'single', semicolons: false }, root), root }).run()
