import type { LibraryCard } from '../../api/generated'
import { onlyLibrary } from '../../lib/onlyLibrary'
import { paths } from '../../lib/paths'
import { versionTitle } from '../../lib/docs/version'
import { LibraryLogo } from '../ui/LibraryLogo'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'

interface Props {
  library: LibraryCard
  version: string
}

/** Links to the home page and the library, with the version. */
export function DocsTitle({ library, version }: Props) {
  const shell = useShell()
  // The home page of a family of one library is the page of that library.
  const family = onlyLibrary(shell) ? null : shell.family
  return (
    <p className="docs-title">
      {family ? <Link to={paths.home()}>{family}</Link> : null}
      <Link to={paths.version(library.id, version)}>
        <LibraryLogo library={library} mark="docs" />
        {family ? <span className="sr-only">{`${family} `}</span> : null}
        {library.shortName}
      </Link>
      <sup>{versionTitle(library, version)}</sup>
    </p>
  )
}
