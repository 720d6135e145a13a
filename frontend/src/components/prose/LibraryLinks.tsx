import type { ReactNode } from 'react'
import { libraryColors } from '../../lib/colors'
import { paths } from '../../lib/paths'
import { ExternalLink, Link } from '../ui/Link'
import { useShell } from '../ui/useShell'

/** Of a library whose repository is on no code host. */
const NO_LINKS = { discussions: null, issues: null, releases: null }

/** Links to the docs, discussions, issues and releases of each library. */
export function LibraryLinks() {
  const shell = useShell()
  return (
    <section aria-labelledby="places" className="library-links">
      <h2 id="places">Where to get help</h2>
      <div className="library-links-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Library</th>
              <th scope="col">Read</th>
              <th scope="col">Ask</th>
              <th scope="col">Report</th>
              <th scope="col">What's new</th>
            </tr>
          </thead>
          <tbody>
            {shell.libraries.map((library) => {
              const { discussions, issues, releases } = library.repoLinks ?? NO_LINKS
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
                  <td>
                    <RepositoryLink href={discussions}>Discussions{of}</RepositoryLink>
                  </td>
                  <td>
                    <RepositoryLink href={issues}>Issues{of}</RepositoryLink>
                  </td>
                  <td>
                    <RepositoryLink href={releases}>Releases{of}</RepositoryLink>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function RepositoryLink({ href, children }: { href: string | null; children: ReactNode }) {
  return href ? <ExternalLink href={href}>{children}</ExternalLink> : '–'
}
