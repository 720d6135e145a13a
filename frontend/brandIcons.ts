// Writes all brand icons of simple-icons to one file, which only the server reads: pages contain the icons that they show.
import { mkdirSync, writeFileSync } from 'node:fs'
import * as icons from 'simple-icons'

const to = 'dist/icons'
const lines = Object.values(icons)
  .map(({ slug, path }) => `${slug}\t${path}\n`)
  .toSorted()
if (lines.length < 1000) throw new Error(`simple-icons has ${lines.length} icons`)

mkdirSync(to, { recursive: true })
writeFileSync(`${to}/brand-icons.txt`, lines.join(''))
