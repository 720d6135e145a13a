// Writes the names of the files that pages refer to, from Vite's manifests. Runs after the SSR build, which empties its folder.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { buildInlineScript } from './inlineScript.ts'
import { addedMarkup } from './scriptMarkup.ts'
import type { BuildFiles } from './src/lib/bootApi'
import { stylePieces } from './stylePieces.ts'

interface Chunk {
  file: string
  imports?: string[]
  assets?: string[]
}

/** Bundles that change pages which have parts of stylesheets. All others, and what these import later, load whole ones first. */
const WITHOUT_WHOLE_STYLES = ['boot', 'backdrop', 'upgrade', 'promo', 'reader', 'live'].map((name) => `src/entry.${name}.ts`)

/** Writes the manifest of a build in the folder `dist`, and the pieces of its stylesheets. */
export async function writeManifest(dist: string): Promise<void> {
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

  /** Writes what Python puts into the heads of pages. */
  async function writeStylesheets(): Promise<void> {
    const { code } = await buildInlineScript()
    const scripts = new Set(WITHOUT_WHOLE_STYLES.flatMap((name) => files(name)))
    const added = [code, ...[...scripts].map((file) => readFileSync(`${dist}/client${file}`, 'utf8'))].map(addedMarkup)
    const isDynamic = (token: string) => {
      if (token.startsWith('.')) return added.some(({ classes }) => classes.has(token.slice(1)))
      return added.some(({ elements }) => elements.has(token))
    }
    const sheets = ['site', ...areas].map((name) => `src/styles/${name}.css`)
    const pieces = Object.fromEntries(sheets.map((name) => [`/${chunk(name).file}`, stylePieces(stylesheet(name), isDynamic)]))
    writeFileSync(`${dist}/ssr/stylesheets.json`, JSON.stringify(pieces))
  }

  const font = chunk('src/styles/web-fonts.css').assets?.find((file) => file.includes('/inter-'))
  if (!font) throw new Error('web-fonts.css refers to no Inter font')

  // Stylesheets of parts of the site, the scripts of the home page and the upgrade page, and the search of an export.
  const styles = {
    ...Object.fromEntries(areas.map((name) => [name, `/${chunk(`src/styles/${name}.css`).file}`])),
    backdrop: `/${chunk('src/entry.backdrop.ts').file}`,
    upgradeScript: `/${chunk('src/entry.upgrade.ts').file}`,
    exportSearch: `/${chunk('src/entry.exportSearch.ts').file}`,
  }

  /** Writes the page of the frame in which Mermaid draws, and returns its address. */
  function writeDiagramFrame(): string {
    const script = chunk('src/entry.diagramFrame.ts').file
    const policy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; font-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
    const head = `<meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><title>Diagrams</title>`
    const page = `<!doctype html><html lang="en"><head>${head}<script type="module" src="/${script}"></script></head><body></body></html>`
    const file = `${script.replace(/\.js$/, '')}.html`
    writeFileSync(`${dist}/client/${file}`, page.replace('"/assets/', '"./'))
    return `/${file}`
  }

  /** Writes the boot script with the names of the files that scripts load, and returns its address, which changes with them. */
  function writeBootScript(): string {
    const built = files('src/entry.boot.ts')
    if (built.length > 1) throw new Error(`the boot script must be one file, and is ${built.join(', ')}`)
    const names: BuildFiles = {
      app: files('src/entry.app.tsx').join(' '),
      searchDialog: files('src/entry.search.tsx').join(' '),
      promotions: files('src/entry.promo.ts').join(' '),
      reader: files('src/entry.reader.ts').join(' '),
      liveEvents: files('src/entry.live.ts').join(' '),
      codeNames: files('src/entry.codeNames.ts').join(' '),
      diagrams: `/${chunk('src/entry.diagrams.ts').file}`,
      diagramFrame: writeDiagramFrame(),
      areas: Object.values(styles).join(' '),
    }
    const withoutFolder = JSON.stringify(names).replaceAll('/assets/', '')
    const script = `const BUILD_FILES=${withoutFolder};${readFileSync(`${dist}/client${built[0]}`, 'utf8')}`
    const file = `assets/boot-${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`
    for (const old of globSync(`${dist}/client/assets/boot-*`)) rmSync(old)
    writeFileSync(`${dist}/client/${file}`, script)
    return `/${file}`
  }

  const manifest = {
    boot: writeBootScript(),
    demos: demoFiles(),
    css: `/${chunk('src/styles/site.css').file}`,
    font: `/${font}`,
    styles,
    fontFaces: stylesheet('src/styles/web-fonts.css'),
  }
  await writeStylesheets()
  // A running `kinfolk dev` watches the folder `ssr` and reads the file when it changes.
  writeFileSync(`${dist}/manifest.json.new`, JSON.stringify(manifest))
  renameSync(`${dist}/manifest.json.new`, `${dist}/ssr/manifest.json`)
}

if (import.meta.main) await writeManifest('dist')
