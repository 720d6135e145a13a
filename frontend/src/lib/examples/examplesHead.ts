// The head of an example list.
import type { LibraryCard, Shell } from '../../api/generated'
import { findFramework } from '../docs/framework'
import { pageHead } from '../pageHead'
import { paths } from '../paths'
import type { Version } from '../docs/version'
import { LATEST, versionedName } from '../docs/version'

interface ExamplesLocation {
  shell: Shell
  library: LibraryCard
  version: Version
}

export function examplesHead({ shell, library, version }: ExamplesLocation, framework: string | null) {
  const label = framework ? `${findFramework(shell.frameworks, framework).label} ` : ''
  return pageHead({
    title: `${label}Examples | ${versionedName(library, version)} Docs`,
    description: `Every ${label}example of ${library.name}: read the files, download them, or run them in a sandbox.`,
    origin: shell.origin,
    canonical: paths.examples(library.id, LATEST, framework ?? undefined),
    version,
    image: paths.card(library.id),
  })
}
