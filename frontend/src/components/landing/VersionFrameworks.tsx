import type { LibraryCard, LibraryPage } from '../../api/generated'
import { paths } from '../../lib/paths'
import { FrameworkLabel } from '../ui/FrameworkLabel'
import { Icon } from '../ui/Icon'
import { Link } from '../ui/Link'

interface Props {
  library: LibraryCard
  page: LibraryPage
  version: string
}

/** The frameworks that an older version has docs for. */
export function VersionFrameworks({ library, page, version }: Props) {
  if (page.frameworks.length === 0) return null
  return (
    <section className="column section" aria-labelledby="frameworks">
      <h2 id="frameworks" className="title">
        {library.shortName} {version} docs
      </h2>
      <ul className="frameworks landing-frameworks">
        {page.frameworks.map((value) => (
          <li key={value} className="card">
            <Link
              to={paths.framework(library.id, version, value)}
              className="card-link"
              data-choose-framework={value}
            >
              <FrameworkLabel value={value} />
            </Link>
            <Icon name="chevron" />
          </li>
        ))}
      </ul>
    </section>
  )
}
