import type { Shell } from '../../api/generated'
import { hue } from '../../lib/hue'
import { paths } from '../../lib/paths'

/** Where each library is read, asked about and mended. */
export function Places({ shell }: { shell: Shell }) {
  return (
    <section aria-labelledby="places" className="library-places">
      <h2 id="places">The places of each library</h2>
      <div className="library-places-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">Library</th>
              <th scope="col">Read</th>
              <th scope="col">Ask</th>
              <th scope="col">Report</th>
              <th scope="col">What is new</th>
            </tr>
          </thead>
          <tbody>
            {shell.libraries.map((library) => {
              const repo = `https://github.com/${library.repo}`
              const of = <span className="sr-only"> of {library.name}</span>
              return (
                <tr key={library.id} style={hue(library)}>
                  <th scope="row">
                    <a href={paths.library(library.id)}>
                      <span className="sr-only">{shell.family} </span>
                      {library.shortName}
                    </a>
                  </th>
                  <td>
                    <a href={paths.docs(library.id, 'latest', library.defaultDocs)}>Docs{of}</a>
                  </td>
                  <td>
                    <a href={`${repo}/discussions`} rel="noopener">
                      Discussions{of}
                    </a>
                  </td>
                  <td>
                    <a href={`${repo}/issues`} rel="noopener">
                      Issues{of}
                    </a>
                  </td>
                  <td>
                    <a href={`${repo}/releases`} rel="noopener">
                      Releases{of}
                    </a>
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
