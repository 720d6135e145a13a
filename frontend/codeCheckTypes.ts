// Writes the compiler's declarations of the language and the browser, which the checking isolate reads, to one file.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const FOLDER = `${import.meta.dirname}/node_modules/typescript-6/lib`
const LEFT_OUT = /\.full\.d\.ts$|webworker|scripthost/
const names = readdirSync(FOLDER).filter((name) => /^lib\..*d\.ts$/.test(name) && !LEFT_OUT.test(name))
const texts = Object.fromEntries(names.map((name) => [name, readFileSync(`${FOLDER}/${name}`, 'utf8')]))
mkdirSync(`${import.meta.dirname}/dist/ssr`, { recursive: true })
writeFileSync(`${import.meta.dirname}/dist/ssr/code-check-types.json`, JSON.stringify(texts))
