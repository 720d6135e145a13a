import type { LibraryCard } from '../../api/generated'
import { paths } from '../../lib/paths'
import { LATEST } from '../../lib/version'

interface Props {
  family: string
  library: LibraryCard
  version: string
}

/** Whose docs these are: the way to the family and to the library. */
export function Brand({ family, library, version }: Props) {
  return (
    <p className="brand">
      <a href={paths.home()}>{family}</a>
      <a href={paths.version(library.id, version)}>
        <span className="sr-only">{family} </span>
        {library.shortName}
      </a>
      <sup>{version === LATEST ? library.latestVersion : version}</sup>
    </p>
  )
}
