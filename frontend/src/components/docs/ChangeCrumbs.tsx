import type { LibraryCard } from '../../api/generated'
import { LATEST } from '../../lib/docs/version'
import { paths } from '../../lib/paths'
import { Breadcrumbs } from '../ui/Breadcrumbs'

interface Props {
  library: LibraryCard
  older: string
  newer: string
}

/** The way to the changes between two releases. */
export function ChangeCrumbs({ library, older, newer }: Props) {
  return (
    <Breadcrumbs
      crumbs={[
        { label: library.name, href: paths.version(library.id, LATEST) },
        { label: 'Releases', href: paths.releases(library.id) },
        { label: 'Changes', href: paths.changes(library.id, older, newer) },
      ]}
    />
  )
}
