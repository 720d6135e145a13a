import type { LibraryCard, LibraryDownloads, LibraryPage } from '../../api/generated'
import { paths } from '../../lib/paths'
import { formatDate, formatNumber } from '../../lib/format'
import { Link } from '../ui/Link'
import type { SitePath } from '../../lib/paths'

interface Props {
  library: LibraryCard
  page: LibraryPage
  version: string
}

/** Figures that this site counts itself, and downloads that npm counts. */
export function LandingStats({ library, page: { figures, downloads }, version }: Props) {
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
      {downloads ? <NpmDownloads library={library} downloads={downloads} /> : null}
    </section>
  )
}

function NpmDownloads({ library, downloads }: { library: LibraryCard; downloads: LibraryDownloads }) {
  const { packages, lastWeek, total, since, lastDay, query } = downloads
  return (
    <>
      <ul className="landing-stats">
        <li>
          <Link to={paths.statistics(query)}>
            <strong>{formatNumber(lastWeek)}</strong> downloads from npm in a week
          </Link>
        </li>
        <li>
          <span>
            <strong>{formatNumber(total)}</strong> downloads in total
          </span>
        </li>
      </ul>
      <p className="fine-print">
        Counted by npm for {packages === 1 ? 'the package' : `the ${packages} packages`} of {library.shortName}, in the
        seven days to <time dateTime={lastDay}>{formatDate(lastDay)}</time>, and since{' '}
        <time dateTime={since}>{formatDate(since)}</time>. Builds and mirrors count, too.
      </p>
    </>
  )
}
