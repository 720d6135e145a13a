import type * as ExportSearch from '../../entry.exportSearch'
import { readAreaFiles } from '../areaFiles'

/** Loads the search of an export. The boot script has its address: no other bundle contains it. */
export async function loadExportSearch(): Promise<typeof ExportSearch> {
  const { exportSearch } = readAreaFiles()
  if (!exportSearch) throw new Error('This build has no search of an export')
  return import(/* @vite-ignore */ exportSearch)
}
