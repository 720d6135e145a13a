// Vite's manifest -> the names of the files that every page refers to. Runs last: the SSR build empties its folder.
import { readFileSync, writeFileSync } from 'node:fs'

interface Chunk {
  file: string
  imports?: string[]
  assets?: string[]
}

const chunks = ['manifest', 'diagrams'].reduce<Record<string, Chunk>>((all, name) => {
  // What Vite wrote a moment ago.
  const written = JSON.parse(readFileSync(`dist/client/.vite/${name}.json`, 'utf8')) as Record<string, Chunk>
  return Object.assign(all, written)
}, {})

function chunk(name: string): Chunk {
  const found = chunks[name]
  if (!found) throw new Error(`${name} is not in Vite's manifest`)
  return found
}

/** The file, and everything it imports at once. */
function files(name: string, seen: Set<string> = new Set()): string[] {
  if (seen.has(name)) return []
  seen.add(name)
  const { file, imports = [] } = chunk(name)
  return [`/${file}`, ...imports.flatMap((imported) => files(imported, seen))]
}

const starter = files('src/entry.browser.ts')
if (starter.length > 1) throw new Error(`the starter must be one file, and is ${starter.join(', ')}`)

const area = /^src\/styles\/(?!site\.)(.+)\.css$/
const areas = Object.keys(chunks).flatMap((name) => area.exec(name)?.[1] ?? [])

const font = chunk('src/styles/site.css').assets?.find((file) => file.includes('/inter-'))
if (!font) throw new Error('the stylesheet of every page has lost its font')

const manifest = {
  starter: starter[0],
  app: files('src/app.tsx').join(' '),
  diagrams: `/${chunk('src/diagrams.ts').file}`,
  css: `/${chunk('src/styles/site.css').file}`,
  font: `/${font}`,
  // Of parts of the site: stylesheets, and the script of the home page.
  styles: {
    ...Object.fromEntries(areas.map((name) => [name, `/${chunk(`src/styles/${name}.css`).file}`])),
    backdrop: `/${chunk('src/backdrop.ts').file}`,
  },
}
writeFileSync('dist/ssr/manifest.json', JSON.stringify(manifest))
