import type { Shell } from '../../api/generated'
import { frameworkOption } from '../../lib/framework'
import { hue } from '../../lib/hue'
import { paths } from '../../lib/paths'
import { LATEST } from '../../lib/version'
import { LibraryMark } from '../ui/LibraryMark'

/** Where the docs of every library begin, for every framework that they are written for. */
export function Places({ shell }: { shell: Shell }) {
  return (
    <ul className="places">
      {shell.libraries.map((library) => (
        <li key={library.id} className="card" style={hue(library)}>
          <h2 className="font-semibold">
            <a href={paths.docs(library.id, LATEST, library.defaultDocs)} className="hue-text">
              <LibraryMark library={library} /> {library.name}
            </a>
          </h2>
          <p className="mt-1 text-sm text-muted">{library.tagline}</p>
          {library.frameworks.length > 0 ? (
            <ul className="chips mt-3">
              {library.frameworks.map((framework) => (
                <li key={framework}>
                  <a href={paths.framework(library.id, LATEST, framework)} className="chip">
                    {frameworkOption(shell.frameworks, framework).label}
                  </a>
                </li>
              ))}
            </ul>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
