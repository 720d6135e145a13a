// The script of the checking isolate. Python adds files, then calls `check` and `exports` with JSON.

import { Checker } from './checker.ts'
import type { Page } from './messages.ts'
import { VirtualFiles } from './virtualFiles.ts'

const LANGUAGE = '/lib/'
const files = new VirtualFiles()
let checker: Checker | undefined

/** Adds files below a folder: a JSON object of their texts by path. */
export function addFiles(folder: string, json: string): number {
  const texts = JSON.parse(json) as Record<string, string>
  const paths = Object.keys(texts)
  for (const path of paths) files.add(`${folder}/${path}`, texts[path] as string)
  return paths.length
}

/** Begins to check with the files that were added. `own` is a JSON list of the library's packages. */
export function begin(framework: string | null, own: string): number {
  checker = new Checker(files, framework, JSON.parse(own) as string[])
  return 0
}

export function check(pages: string): string {
  if (!checker) throw new Error('begin was not called')
  return JSON.stringify(checker.check(JSON.parse(pages) as Page[]))
}

export function exports(modules: string): string {
  if (!checker) throw new Error('begin was not called')
  return JSON.stringify(checker.exports(JSON.parse(modules) as string[]))
}

/** Forgets all files but the declarations of the language. */
export function reset(): number {
  files.clear(LANGUAGE)
  checker = undefined
  return 0
}
