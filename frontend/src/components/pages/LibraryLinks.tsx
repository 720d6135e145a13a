import { libraryColors } from '../../lib/colors'
import { paths } from '../../lib/paths'
import { ExternalLink, Link } from '../ui/Link'
import { useShell } from '../ui/useShell'

const REPOSITORY_PAGES = [
  { heading: 'Ask', path: 'discussions', label: 'Discussions' },
  { heading: 'Report', path: 'issues', label: 'Issues' },
  { heading: "What's new", path: 'releases', label: 'Releases' },
] as const

/** Links to the docs of each library, and to discussions, issues and releases of those with a repository. */
export function LibraryLinks() {
  const shell = useShell()
  const anyRepository = shell.libraries.some(({ repoLinks }) => repoLinks)
  return (
    <section aria-labelledby="Site-places" className="library-links">
      <h2 id="Site-places">Where to get help</h2>
      <div className="library-links-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Library</th>
              <th scope="col">Read</th>
              {anyRepository
                ? REPOSITORY_PAGES.map(({ path, heading }) => (
                    <th key={path} scope="col">
                      {heading}
                    </th>
                  ))
                : null}
            </tr>
          </thead>
          <tbody>
            {shell.libraries.map((library) => {
              const of = <span className="sr-only"> of {library.name}</span>
              return (
                <tr key={library.id} style={libraryColors(library)}>
                  <th scope="row">
                    <Link to={paths.library(library.id)}>
                      <span className="sr-only">{shell.family} </span>
                      {library.shortName}
                    </Link>
                  </th>
                  <td>
                    <Link to={paths.docs(library.id, 'latest', library.defaultDocs)}>Docs{of}</Link>
                  </td>
                  {anyRepository
                    ? REPOSITORY_PAGES.map(({ path, label }) => (
                        <td key={path}>
                          {library.repoLinks?.[path] ? (
                            <ExternalLink href={library.repoLinks[path]}>
                              {label}
                              {of}
                            </ExternalLink>
                          ) : null}
                        </td>
                      ))
                    : null}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}
