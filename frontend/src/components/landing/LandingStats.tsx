import type { FrameworkTarget, LibraryCard, LibraryDownloads, LibraryPage, OpenSourceFigures as Figures } from '../../api/generated'
import { paths } from '../../lib/paths'
import { formatDate, formatNumber } from '../../lib/format'
import type { NamedFigure } from '../ui/OpenSourceFigures'
import { OpenSourceFigures } from '../ui/OpenSourceFigures'
import { FrameworkTargets } from '../ui/FrameworkTargets'
import { AnyLink, Link } from '../ui/Link'
import type { SitePath } from '../../lib/paths'

interface Props {
  library: LibraryCard
  page: LibraryPage
  figures: Figures
  version: string
}

/** How the library is used, and what this site has of it. */
export function LandingStats({ library, page, figures, version }: Props) {
  return (
    <>
      <LibraryUse library={library} figures={figures} downloads={page.downloads} />
      <LibraryContent library={library} page={page} version={version} />
    </>
  )
}

function LibraryUse({ library, figures, downloads }: Pick<Props, 'library' | 'figures'> & { downloads: LibraryDownloads | null }) {
  const { downloadsTotal, downloadsPerDay, stars, contributors, dependents } = figures
  const shown: NamedFigure[] = [
    { name: 'downloadsTotal', label: 'downloads from npm', figure: downloadsTotal, perDay: downloadsPerDay },
    { name: 'stars', label: 'stars on GitHub', figure: stars },
    { name: 'contributors', label: 'contributors', figure: contributors },
    { name: 'dependents', label: 'dependent packages', figure: dependents },
  ]
  if (shown.every(({ figure }) => figure === null) && !downloads) return null
  return (
    <section className="column section landing-use" aria-labelledby="use">
      <h2 id="use" className="landing-label">
        Usage
      </h2>
      <OpenSourceFigures figures={shown} topic={{ name: 'figures.library', args: { library: library.id } }} />
      {downloads ? <WeeklyDownloads library={library} downloads={downloads} /> : null}
    </section>
  )
}

function WeeklyDownloads({ library, downloads }: { library: LibraryCard; downloads: LibraryDownloads }) {
  const { packages, lastWeek, since, lastDay, query } = downloads
  return (
    <p className="fine-print">
      <Link to={paths.statistics(query)} className="text-link">
        {formatNumber(lastWeek)} downloads
      </Link>{' '}
      of {packages === 1 ? 'the package' : `the ${packages} packages`} of {library.shortName} in the seven days through{' '}
      <time dateTime={lastDay}>{formatDate(lastDay)}</time>, as npm counts them. The total starts on{' '}
      <time dateTime={since}>{formatDate(since)}</time> and includes builds and mirrors. Between two counts, it is estimated
      from the average of the last seven days.
    </p>
  )
}

function at(to: SitePath): FrameworkTarget[] {
  return [{ framework: null, to }]
}

/** Figures that this site counts itself. */
function LibraryContent({ library, page: { figures, start }, version }: Pick<Props, 'library' | 'page' | 'version'>) {
  if (!figures) return null
  const { pages, examples, frameworks, versions, updated } = figures
  const shown: [number, string, string, FrameworkTarget[]?][] = [
    [pages, 'docs page', 'docs pages', start],
    [examples, 'example', 'examples', at(paths.examples(library.id, version))],
    [frameworks, 'framework', 'frameworks', at(paths.frameworks(library.id, version))],
    [versions, 'documented version', 'documented versions'],
  ]
  return (
    <section className="column section" aria-labelledby="figures">
      <h2 id="figures" className="landing-label">
        On this site
      </h2>
      <ul className="landing-stats">
        {shown
          .filter(([count]) => count > 0)
          .map(([count, one, many, targets]) => {
            const words = (
              <>
                <strong>{formatNumber(count)}</strong> {count === 1 ? one : many}
              </>
            )
            return (
              <li key={one}>
                {targets ? (
                  <FrameworkTargets targets={targets}>{(to) => <AnyLink to={to}>{words}</AnyLink>}</FrameworkTargets>
                ) : (
                  <span>{words}</span>
                )}
              </li>
            )
          })}
      </ul>
      {updated ? (
        <p className="fine-print">
          Docs last updated <time dateTime={updated}>{formatDate(updated)}</time>.
        </p>
      ) : null}
    </section>
  )
}
