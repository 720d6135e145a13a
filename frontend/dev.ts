// Builds the frontend into `dist-dev` after each change, for `kinfolk dev`. The build that servers use is not touched.
import { EventEmitter, once } from 'node:events'
import { cpSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { RolldownWatcher, RolldownWatcherEvent } from 'rolldown'
import type { Plugin } from 'vite'
import { build } from 'vite'
import { writeManifest } from './manifest.ts'

const OUT = 'dist-dev'
/** Milliseconds in which both watchers notice a change. */
const NOTICED_MS = 50
/** The place in the text of an error of Rolldown: file, line and column. */
const PLACE = /\[ ?([^\s[\]]+):(\d+):\d+ ?\]/

type Name = 'client' | 'ssr'

if (!existsSync('dist/ssr/manifest.json')) throw new Error('The frontend is not built: run `npm run build` first')
// Without it, the plugin of the router adds its code for hot module replacement to each module.
process.env.NODE_ENV = 'production'
// What the watched builds do not write: fonts, icons, diagrams and the highlighter.
rmSync(OUT, { recursive: true, force: true })
cpSync('dist', OUT, { recursive: true })

const problems = new Map<Name, { file: string; line: number; reason: string }>()
const server = new EventEmitter()
let isServerBuilding = true
/** The ends of builds, one after the other: both write the manifest. */
let ends = Promise.resolve()

/** Pages show a change as soon as the server's bundle is built: the client's does not take the processor from it. */
const afterServer: Plugin = {
  name: 'after-server',
  async buildStart() {
    await setTimeout(NOTICED_MS)
    if (isServerBuilding) await once(server, 'built')
  },
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Writes the file with which `kinfolk dev` shows what is wrong: once, also where both builds name it. */
function publishProblems(): void {
  const found = new Map([...problems.values()].map((problem) => [JSON.stringify(problem), problem]))
  writeFileSync(`${OUT}/problems.json.new`, JSON.stringify([...found.values()]))
  renameSync(`${OUT}/problems.json.new`, `${OUT}/ssr/problems.json`)
}

function fail(name: Name, { message, id }: { message: string; id?: string }): void {
  const text = stripVTControlCharacters(message)
  const [, file = id ? relative('', id) : 'frontend', line = '0'] = PLACE.exec(text) ?? []
  const reason = text.split('\n').find((one) => one && !one.startsWith('Build failed')) ?? text
  problems.set(name, { file, line: Number(line), reason })
  print(message)
}

async function finish(name: Name, began: number): Promise<void> {
  try {
    if (problems.has(name)) return
    await writeManifest(OUT)
    print(`Built ${name} in ${Math.round(performance.now() - began)} ms`)
  } catch (error) {
    // The next change builds again.
    fail(name, error as Error)
  } finally {
    publishProblems()
    if (name === 'ssr') {
      isServerBuilding = false
      server.emit('built')
    }
  }
}

async function watch(name: Name, ssr: string | boolean, plugins: Plugin[]): Promise<void> {
  const watcher = (await build({
    mode: 'production',
    logLevel: 'error',
    plugins,
    build: { ssr, outDir: `${OUT}/${name}`, emptyOutDir: false, minify: false, reportCompressedSize: false, watch: {} },
  })) as unknown as RolldownWatcher
  let began = performance.now()
  watcher.on('event', (event: RolldownWatcherEvent) => {
    if (event.code === 'START') {
      began = performance.now()
      problems.delete(name)
      if (name === 'ssr') isServerBuilding = true
    } else if (event.code === 'BUNDLE_END') void event.result.close()
    else if (event.code === 'ERROR') {
      void event.result?.close()
      fail(name, event.error)
    } else if (event.code === 'END') ends = ends.then(() => finish(name, began))
  })
}

await Promise.all([watch('ssr', 'src/entry.server.tsx', []), watch('client', false, [afterServer])])
print(`Watching frontend/src. Preview: KINFOLK_FRONTEND=frontend/${OUT} kinfolk dev`)
