import type { LibraryCard } from '../../api/generated'
import { paths } from '../../lib/paths'
import { LATEST } from '../../lib/version'
import { LibraryLogo } from '../ui/LibraryLogo'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'

interface Props {
  library: LibraryCard
  version: string
}

/** Links to the home page and the library, with the version. */
export function DocsTitle({ library, version }: Props) {
  const { family } = useShell()
  return (
    <p className="docs-title">
      <Link to={paths.home()}>{family}</Link>
      <Link to={paths.version(library.id, version)}>
        <LibraryLogo library={library} mark="docs" />
        <span className="sr-only">{family} </span>
        {library.shortName}
      </Link>
      <sup>{version === LATEST ? library.latestVersion : version}</sup>
    </p>
  )
}
