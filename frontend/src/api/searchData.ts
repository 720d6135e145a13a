// What the search dialog needs besides its files. Without the module that parses HTML in answers: these have none, and the reader waits for
// each file.
import type { SearchConfig, Shell } from './generated'
import { functionUrl } from './functionUrl'
import { sharedUrl } from './sharedUrls'
import { withBase } from '../lib/paths'
import { dataFile, isStaticPage } from '../lib/staticSite'

export interface SearchData {
  shell: Shell
  config: SearchConfig
}

/** Rejects if an answer cannot be loaded. */
export async function fetchSearchData(): Promise<SearchData> {
  const config = isStaticPage() ? withBase(dataFile('search.config', null)) : functionUrl('search.config', null)
  const [shell, answer] = await Promise.all([fetchJson(sharedUrl('site.shell')), fetchJson(config)])
  // The registry that answered is the one that `generated.ts` was generated from.
  return { shell: shell as Shell, config: (answer as { data: SearchConfig }).data }
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: status ${response.status}`)
  return response.json()
}
