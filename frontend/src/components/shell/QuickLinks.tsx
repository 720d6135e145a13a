import { libraryColors } from '../../lib/colors'
import { paths } from '../../lib/paths'
import { LATEST } from '../../lib/docs/version'
import { FrameworkLabel } from '../ui/FrameworkLabel'
import { LibraryLogo } from '../ui/LibraryLogo'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'

/** Links to the docs of every library and of its frameworks. */
export function QuickLinks() {
  const shell = useShell()
  return (
    <ul className="quick-links">
      {shell.libraries.map((library) => (
        <li key={library.id} className="card" style={libraryColors(library)}>
          <h2>
            <Link to={paths.docs(library.id, LATEST, library.defaultDocs)} className="hue-text">
              <LibraryLogo library={library} /> {library.name}
            </Link>
          </h2>
          <p>{library.tagline}</p>
          {library.frameworks.length > 0 ? (
            <ul className="chips">
              {library.frameworks.map((framework) => (
                <li key={framework}>
                  <Link to={paths.framework(library.id, LATEST, framework)} className="chip">
                    <FrameworkLabel value={framework} />
                  </Link>
                </li>
              ))}
            </ul>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
