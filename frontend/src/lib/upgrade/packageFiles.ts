// The packages of the family that a `package.json` or a `pnpm-workspace.yaml` names, read in the browser, so that nothing else of
// the file is sent. `api/upgrades/package_files.py` reads files of readers without scripts in the same way and explains the result.
import { findJsonFault } from './jsonFault'

export type Fault = 'lock' | 'json' | 'none' | 'many' | 'large'

export type ReadPackages = { kind: 'ok'; packages: string[] } | { kind: 'fault'; fault: Fault; line?: number }

type Entry = [name: string, value: string]

export const MOST_PACKAGES = 40
const LONGEST_RANGE = 100
const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies', 'catalog']
const LOCK_FILE = /^# yarn lockfile|^lockfileVersion:|"lockfileVersion" *:|^__metadata:/m
const LOCK_FILE_HEAD = 2000
const RANGE = /^[\w.*+^~<>=|\s-]*$/
const ALIAS = /^npm:(@?[^@]+)(?:@([^]*))?$/
const FILE = /^(?:(?:link|file|portal):|[./~]\/|\.\.?\/|~\/|\/)/
const ADDRESS = /^(?:git|https?:|ssh:|bitbucket:|gist:|[\w.-]+\/[\w.-]+(?:#|$))/
const YAML_ENTRY = /^[ \t]+(?:"([^"]+)"|'([^']+)'|([^\s"'#:][^\s:]*))[ \t]*:[ \t]+(?:"([^"]*)"|'([^']*)'|([^"'#]*))/

/** The packages of the family, each `name@spec`, in the order of the text. */
export function readPackages(file: string, family: ReadonlySet<string>): ReadPackages {
  const text = file.replace(/^\ufeff/, '')
  if (LOCK_FILE.test(text.slice(0, LOCK_FILE_HEAD))) return { kind: 'fault', fault: 'lock' }
  let entries: Entry[]
  try {
    entries = text.trimStart().startsWith('{') ? jsonEntries(text) : yamlEntries(text)
  } catch {
    return { kind: 'fault', fault: 'json', line: findJsonFault(text) }
  }
  const packages = [...new Set(entries.flatMap((entry) => packageOf(entry, family) ?? []))]
  if (packages.length === 0) return { kind: 'fault', fault: 'none' }
  return packages.length > MOST_PACKAGES ? { kind: 'fault', fault: 'many' } : { kind: 'ok', packages }
}

function jsonEntries(text: string): Entry[] {
  const file = table(JSON.parse(text))
  const parts = [file, table(file.get('workspaces'))]
  return parts.flatMap((part) => {
    const tables = [...SECTIONS.map((section) => part.get(section)), ...table(part.get('catalogs')).values()]
    return tables.flatMap(texts)
  })
}

/** A map: a key such as `__proto__` is a key like any other. */
function table(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [])
}

function texts(value: unknown): Entry[] {
  const entries = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  return entries.filter((entry): entry is Entry => typeof entry[1] === 'string')
}

/** The indented `name: range` lines of a `pnpm-workspace.yaml`, whatever they are below: only catalogs have them. */
function yamlEntries(text: string): Entry[] {
  return text.split(/\r?\n/).flatMap((line): Entry[] => {
    const [, a, b, name = a ?? b, c, d, value = c ?? d] = YAML_ENTRY.exec(line) ?? []
    return name === undefined ? [] : [[name, value ?? '']]
  })
}

/** The package that an entry installs, if it is of the family. */
function packageOf([name, text]: Entry, family: ReadonlySet<string>): string | undefined {
  // A file may have a hundred thousand other packages.
  if (!family.has(name) && !text.includes('npm:')) return undefined
  const value = text.trim()
  const alias = ALIAS.exec(value)
  const target = alias?.[1]
  if (target !== undefined && family.has(target)) return `${target}@${specOf(alias?.[2] ?? '')}`
  return family.has(name) ? `${name}@${alias ? 'npm:' : specOf(value)}` : undefined
}

/** A range with single spaces, a tag, or a protocol without what follows it. */
function specOf(text: string): string {
  const value = text.trim()
  if (value.startsWith('workspace:')) {
    const own = value.slice('workspace:'.length)
    return /^[\^~]?\d/.test(own) ? specOf(own) : 'workspace:'
  }
  if (value.startsWith('catalog:')) return 'catalog:'
  if (FILE.test(value)) return 'file:'
  if (ADDRESS.test(value)) return 'url:'
  return value.length <= LONGEST_RANGE && RANGE.test(value) ? value.replace(/\s+/g, ' ') || '*' : 'other:'
}
