import { useMemo } from 'react'
import type { Alternative, DocsConfig, LibraryCard, Shell } from '../../api/generated'
import { currentFramework, frameworkChoices, frameworksOf } from '../../lib/framework'
import { docsSections, siteSection } from '../../lib/menu'
import { useStoredFramework } from './useStoredFramework'

export interface DocsPlace {
  shell: Shell
  library: LibraryCard
  version: string
  config: DocsConfig
  /** The path inside the docs. */
  path: string
  /** The framework in the address, if any. */
  inAddress: string | undefined
  /** Where the page is in other frameworks, when that is known. */
  alternatives?: readonly Alternative[]
}

/** The menu of this place for the reader's framework. */
export function useMenu({ shell, library, version, config, path, inAddress, alternatives }: DocsPlace) {
  const kept = useStoredFramework()
  const offered = useMemo(() => frameworksOf(library, config, shell.frameworks), [library, config, shell])
  const framework = currentFramework(offered, inAddress, kept)
  const docs = useMemo(
    () => docsSections({ library, version }, config, framework),
    [library, version, config, framework],
  )
  const sections = useMemo(
    () => [siteSection({ library, version }, offered.length, shell.social), ...docs],
    [docs, library, version, offered, shell],
  )
  const frameworks = frameworkChoices({ library: library.id, version, config, path, alternatives }, offered, framework)
  return { frameworks, sections, docs }
}
