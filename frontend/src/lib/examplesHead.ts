// What a list of examples says about itself to programs.
import type { LibraryCard, Shell } from '../api/generated'
import { frameworkOption } from './framework'
import { head } from './meta'
import { paths } from './paths'
import type { Version } from './version'
import { LATEST, nameIn } from './version'

interface Place {
  shell: Shell
  library: LibraryCard
  version: Version
}

export function examplesHead({ shell, library, version }: Place, framework: string | null) {
  const label = framework ? `${frameworkOption(shell.frameworks, framework).label} ` : ''
  return head({
    title: `${label}Examples | ${nameIn(library, version)} Docs`,
    description: `Every ${label}example of ${library.name}: its files to read, to download, or to run in a sandbox.`,
    origin: shell.origin,
    canonical: paths.examples(library.id, LATEST, framework ?? undefined),
    image: paths.card(library.id),
  })
}
