import type { LibraryIntroduction, LibraryCard } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { LibraryLogo } from '../ui/LibraryLogo'
import { Link } from '../ui/Link'
import { serverPath } from '../../lib/paths'
import { useShell } from '../ui/useShell'

export const LIBRARIES_ID = 'libraries'

/** All libraries by group. */
export function LibraryGrid({ words }: { words: LibraryIntroduction[] }) {
  const shell = useShell()
  return (
    <section id={LIBRARIES_ID} className="column section" aria-labelledby="libraries-title">
      <h2 id="libraries-title" className="title">
        Open-source libraries
      </h2>
      {shell.groups.map((group) => (
        // Not a landmark: the navigation has landmarks of the same names.
        <div key={group.id} className="home-group">
          <h3 className="heading">{group.label}</h3>
          <ul className="home-grid">
            {group.libraries.flatMap((id) => {
              const library = shell.libraries.find((candidate) => candidate.id === id)
              const description = words.find((each) => each.id === id)?.description
              return library ? [<LibraryGridCard key={id} library={library} description={description} />] : []
            })}
          </ul>
        </div>
      ))}
    </section>
  )
}

function LibraryGridCard({ library, description }: { library: LibraryCard; description?: string }) {
  const { family } = useShell()
  return (
    <li className="card home-card" style={libraryColors(library)}>
      {library.badge ? <span className="home-ribbon">{library.badge}</span> : null}
      <h4>
        <LibraryLogo library={library} />
        <Link to={serverPath(library.to)} className="card-link">
          <span className="home-card-family">{family}</span> {library.shortName}
        </Link>
      </h4>
      <p className="home-tagline">{library.tagline}</p>
      <p className="home-card-description">{description}</p>
    </li>
  )
}
