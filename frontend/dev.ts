// Builds the frontend into `dist-dev` after each change, for `kinfolk dev`. The build that servers use is not touched.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import type { RolldownWatcher } from 'rolldown'
import { build } from 'vite'

const OUT = 'dist-dev'

if (!existsSync('dist/ssr/manifest.json')) throw new Error('The frontend is not built: run `npm run build` first')
// What the watched builds do not write: fonts, icons, diagrams and the highlighter.
rmSync(OUT, { recursive: true, force: true })
cpSync('dist', OUT, { recursive: true })

const running = new Set<string>()
let failed = false
let began = performance.now()

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function finish(): void {
  if (running.size > 0 || failed) return
  try {
    execFileSync(process.execPath, ['manifest.ts', OUT], { stdio: 'inherit' })
    print(`Built in ${Math.round(performance.now() - began)} ms`)
  } catch {
    // The next change builds again; the script has written what is wrong.
  }
}

async function watch(name: string, ssr: string | boolean): Promise<void> {
  const watcher = (await build({
    mode: 'production',
    logLevel: 'warn',
    build: { ssr, outDir: `${OUT}/${name}`, emptyOutDir: false, minify: false, reportCompressedSize: false, watch: {}, rolldownOptions: { experimental: { incrementalBuild: true } } },
  })) as unknown as RolldownWatcher
  watcher.on('event', (event) => {
    if (event.code === 'START') {
      if (running.size === 0) began = performance.now()
      running.add(name)
      failed = false
    } else if (event.code === 'BUNDLE_END') void event.result.close()
    else if (event.code === 'ERROR') {
      failed = true
      running.delete(name)
      print(event.error.message)
    } else if (event.code === 'END') {
      running.delete(name)
      finish()
    }
  })
}

running.add('client').add('ssr')
await Promise.all([watch('client', false), watch('ssr', 'src/entry.server.tsx')])
print(`Watching frontend/src. Preview: KINFOLK_FRONTEND=frontend/${OUT} kinfolk dev`)
