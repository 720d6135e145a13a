// Loads the records of an export for a version, once, and indexes them.
import { withBase } from '../lib/paths'
import { StaticEngine } from './engine'
import type { StaticRecord, StaticSearchConfig } from './records'

export const LATEST_FILES = 'latest'

const engines = new Map<string, Promise<StaticEngine>>()
let config: Promise<StaticSearchConfig> | undefined

async function fetchJson(path: string): Promise<unknown> {
  const response = await fetch(withBase(path))
  if (!response.ok) throw new Error(`${path}: status ${response.status}`)
  return response.json()
}

async function load(key: string): Promise<StaticEngine> {
  // Written by `kinfolk.cli.export.search_files`, as are the records.
  config ??= fetchJson('/_search/config.json') as Promise<StaticSearchConfig>
  const { ranking, files, frameworks } = await config
  const shards = await Promise.all((files[key] ?? files[LATEST_FILES] ?? []).map(fetchJson))
  const records = (shards as StaticRecord[][]).flat()
  return StaticEngine.build(records, ranking, frameworks)
}

/** The engine for a version: that of the latest versions, or of one older version of a library. A failure is retried by the next call. */
export function loadEngine(version: string, library: string | undefined): Promise<StaticEngine> {
  const key = version === LATEST_FILES || !library ? LATEST_FILES : `${library}/${version}`
  let engine = engines.get(key)
  if (!engine) {
    engine = load(key)
    engine.catch(() => {
      engines.delete(key)
      config = undefined
    })
    engines.set(key, engine)
  }
  return engine
}
