import type { Introduced, LibraryCard, Shell } from '../../api/generated'
import { hue } from '../../lib/hue'
import { LibraryMark } from '../ui/LibraryMark'

export const LIBRARIES_ID = 'libraries'

/** Every library, in its group. */
export function Libraries({ shell, words }: { shell: Shell; words: Introduced[] }) {
  return (
    <section id={LIBRARIES_ID} className="column section" aria-labelledby="libraries-title">
      <h2 id="libraries-title" className="title">
        Open-source libraries
      </h2>
      {shell.groups.map((group) => (
        // No landmark: the navigation has one of the same name.
        <div key={group.id} className="home-group">
          <h3 className="heading">{group.label}</h3>
          <ul className="home-grid">
            {group.libraries.flatMap((id) => {
              const library = shell.libraries.find((candidate) => candidate.id === id)
              const description = words.find((each) => each.id === id)?.description
              return library ? [<Card key={id} library={library} family={shell.family} description={description} />] : []
            })}
          </ul>
        </div>
      ))}
    </section>
  )
}

function Card({ library, family, description }: { library: LibraryCard; family: string; description?: string }) {
  return (
    <li className="card home-card" style={hue(library)}>
      {library.badge ? <span className="home-ribbon">{library.badge}</span> : null}
      <h4>
        <LibraryMark library={library} />
        <a href={library.to} className="card-link">
          <span className="home-of">{family}</span> {library.shortName}
        </a>
      </h4>
      <p className="home-tagline">{library.tagline}</p>
      <p className="home-more">{description}</p>
    </li>
  )
}
