// Writes the names of the files that pages refer to, from Vite's manifests. Runs after the SSR build, which empties its folder.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

interface Chunk {
  file: string
  imports?: string[]
  assets?: string[]
}

/** Writes the manifest of a build in the folder `dist`. */
export function writeManifest(dist: string): void {
  const chunks = ['manifest', 'diagrams'].reduce<Record<string, Chunk>>((all, name) => {
    // Written by Vite.
    const written = JSON.parse(readFileSync(`${dist}/client/.vite/${name}.json`, 'utf8')) as Record<string, Chunk>
    return Object.assign(all, written)
  }, {})

  function chunk(name: string): Chunk {
    const found = chunks[name]
    if (!found) throw new Error(`${name} is not in Vite's manifest`)
    return found
  }

  /** The file and its static imports. */
  function files(name: string, seen: Set<string> = new Set()): string[] {
    if (seen.has(name)) return []
    seen.add(name)
    const { file, imports = [] } = chunk(name)
    return [`/${file}`, ...imports.flatMap((imported) => files(imported, seen))]
  }

  const boot = files('src/entry.boot.ts')
  if (boot.length > 1) throw new Error(`the boot script must be one file, and is ${boot.join(', ')}`)

  const area = /^src\/styles\/(?!site\.)(.+)\.css$/
  const areas = Object.keys(chunks).flatMap((name) => area.exec(name)?.[1] ?? [])

  /** The files that run each demo, by the library's id: the bundle, then the demo itself. */
  function demoFiles(): Record<string, string> {
    const bundle = files('src/entry.demos.tsx')
    return Object.fromEntries(
      Object.keys(chunks).flatMap((name) => {
        const id = /\/libraries\/([^/]+)\/demo\.tsx$/.exec(name)?.[1]
        return id ? [[id, [...new Set([...bundle, ...files(name)])].join(' ')]] : []
      }),
    )
  }

  /** The text of a stylesheet, which stands in a style element: addresses of the files beside it start at the root. */
  function stylesheet(name: string): string {
    const text = readFileSync(`${dist}/client/${chunk(name).file}`, 'utf8').trim().replaceAll('url(./', 'url(/assets/')
    if (/<\/style/i.test(text)) throw new Error(`${name} holds what would end its style element`)
    return text
  }

  const sheets = ['site', ...areas].map((name) => `src/styles/${name}.css`)

  const font = chunk('src/styles/web-fonts.css').assets?.find((file) => file.includes('/inter-'))
  if (!font) throw new Error('web-fonts.css refers to no Inter font')

  const manifest = {
    boot: boot[0],
    app: files('src/entry.app.tsx').join(' '),
    searchDialog: files('src/entry.search.tsx').join(' '),
    promotions: files('src/entry.promo.ts').join(' '),
    reader: files('src/entry.reader.ts').join(' '),
    live: files('src/entry.live.ts').join(' '),
    demos: demoFiles(),
    diagrams: `/${chunk('src/entry.diagrams.ts').file}`,
    css: `/${chunk('src/styles/site.css').file}`,
    font: `/${font}`,
    // Stylesheets of parts of the site, and the script of the home page.
    styles: {
      ...Object.fromEntries(areas.map((name) => [name, `/${chunk(`src/styles/${name}.css`).file}`])),
      backdrop: `/${chunk('src/entry.backdrop.ts').file}`,
    },
    // The texts of the stylesheets, which pages contain.
    inlined: Object.fromEntries(sheets.map((name) => [`/${chunk(name).file}`, stylesheet(name)])),
  }
  // A running `kinfolk dev` watches the folder `ssr` and reads the file when it changes.
  writeFileSync(`${dist}/manifest.json.new`, JSON.stringify(manifest))
  renameSync(`${dist}/manifest.json.new`, `${dist}/ssr/manifest.json`)
}

if (import.meta.main) writeManifest('dist')
