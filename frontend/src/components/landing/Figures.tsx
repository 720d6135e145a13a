import type { LibraryCard, LibraryPage } from '../../api/generated'
import { paths } from '../../lib/paths'
import { dateInWords, grouped } from '../../lib/words'

interface Props {
  library: LibraryCard
  page: LibraryPage
  version: string
}

/** What this site can count itself, and nothing else. */
export function Figures({ library, page: { figures }, version }: Props) {
  if (!figures) return null
  const { pages, examples, frameworks, versions, updated } = figures
  const shown: [number, string, string, string?][] = [
    [pages, 'page of docs', 'pages of docs', paths.docs(library.id, version)],
    [examples, 'example', 'examples', examples > 0 ? paths.examples(library.id, version) : undefined],
    [frameworks, 'framework', 'frameworks', frameworks > 0 ? paths.frameworks(library.id, version) : undefined],
    [versions, 'version', 'versions'],
  ]
  return (
    <section className="column section" aria-labelledby="figures">
      <h2 id="figures" className="landing-quiet">
        On this site
      </h2>
      <ul className="landing-figures">
        {shown
          .filter(([count]) => count > 0)
          .map(([count, one, many, to]) => {
            const words = (
              <>
                <strong>{grouped(count)}</strong> {count === 1 ? one : many}
              </>
            )
            return <li key={one}>{to ? <a href={to}>{words}</a> : <span>{words}</span>}</li>
          })}
      </ul>
      <p className="fine">
        Counted in the docs of {library.shortName} that are served here now
        {updated ? (
          <>
            , last changed on <time dateTime={updated}>{dateInWords(updated)}</time>
          </>
        ) : null}
        .
      </p>
    </section>
  )
}
