import type { LibraryCard, LibraryPage } from '../../api/generated'
import { paths } from '../../lib/paths'
import { formatDate, formatNumber } from '../../lib/format'
import { Link } from '../ui/Link'
import type { SitePath } from '../../lib/paths'

interface Props {
  library: LibraryCard
  page: LibraryPage
  version: string
}

/** Figures that this site counts itself. */
export function LandingStats({ library, page: { figures }, version }: Props) {
  if (!figures) return null
  const { pages, examples, frameworks, versions, updated } = figures
  const shown: [number, string, string, SitePath?][] = [
    [pages, 'page of docs', 'pages of docs', paths.docs(library.id, version)],
    [examples, 'example', 'examples', examples > 0 ? paths.examples(library.id, version) : undefined],
    [frameworks, 'framework', 'frameworks', frameworks > 0 ? paths.frameworks(library.id, version) : undefined],
    [versions, 'version', 'versions'],
  ]
  return (
    <section className="column section" aria-labelledby="figures">
      <h2 id="figures" className="landing-label">
        On this site
      </h2>
      <ul className="landing-stats">
        {shown
          .filter(([count]) => count > 0)
          .map(([count, one, many, to]) => {
            const words = (
              <>
                <strong>{formatNumber(count)}</strong> {count === 1 ? one : many}
              </>
            )
            return <li key={one}>{to ? <Link to={to}>{words}</Link> : <span>{words}</span>}</li>
          })}
      </ul>
      <p className="fine-print">
        Counted in the docs of {library.shortName} that are served here now
        {updated ? (
          <>
            , last changed on <time dateTime={updated}>{formatDate(updated)}</time>
          </>
        ) : null}
        .
      </p>
    </section>
  )
}
