import { useMemo } from 'react'
import type { Alternative, DocsNavigation, LibraryCard } from '../../api/generated'
import { currentFramework, listFrameworkChoices, listFrameworks } from '../../lib/docs/framework'
import { docsSections, librarySection } from '../../lib/docs/docsMenu'
import { useStoredFramework } from './useStoredFramework'
import { useShell } from '../ui/useShell'

export interface DocsMenuInput {
  library: LibraryCard
  version: string
  config: DocsNavigation
  /** The path inside the docs. */
  path: string
  /** The framework in the URL, if any. */
  inAddress: string | undefined
  /** The page in other frameworks, if known. */
  alternatives?: readonly Alternative[]
}

/** The docs menu of a page for the reader's framework. */
export function useDocsMenu({ library, version, config, path, inAddress, alternatives }: DocsMenuInput) {
  const shell = useShell()
  const storedFramework = useStoredFramework()
  const offered = useMemo(() => listFrameworks(config, shell.frameworks), [config, shell])
  const framework = currentFramework(offered, inAddress, storedFramework, shell.firstFramework)
  const docs = useMemo(
    () => docsSections({ library, version }, config, framework),
    [library, version, config, framework],
  )
  const sections = useMemo(
    () => [librarySection({ library, version }, offered.length, shell.social), ...docs],
    [docs, library, version, offered, shell],
  )
  const frameworks = listFrameworkChoices({ library: library.id, version, config, path, alternatives }, offered, framework)
  return { frameworks, sections, docs }
}
