import type { ContentCounts, FamilyFigures } from '../../api/generated'
import { formatNumber } from '../../lib/format'
import type { NamedFigure } from '../ui/OpenSourceFigures'
import { OpenSourceFigures } from '../ui/OpenSourceFigures'

interface Props {
  /** Counts of this server. */
  counts: ContentCounts
  /** Sums of all libraries. */
  figures: FamilyFigures
}

/** How the libraries are used, and what this server has of them. */
export function HomeStats({ counts, figures }: Props) {
  const isUsed = usedFigures(figures).some(({ figure }) => figure !== null)
  const hasSeveralVersions = counts.versions > counts.libraries
  // The cards show how many libraries there are: the sentence needs more to say.
  const hasContent = hasSeveralVersions || counts.frameworks > 0
  if (!isUsed && !hasContent) return null
  return (
    <section className="column home-stats" aria-label="The family in figures">
      <FamilyUse figures={figures} />
      {hasContent ? (
        <p className="home-facts">
          This site documents{' '}
          {hasSeveralVersions ? (
            <>
              <Count count={counts.versions} one="version" many="versions" /> of{' '}
            </>
          ) : null}
          <Count count={counts.libraries} one="library" many="libraries" />
          {counts.frameworks > 0 ? (
            <>
              {' '}
              for <Count count={counts.frameworks} one="framework" many="frameworks" />
            </>
          ) : null}
          .
        </p>
      ) : null}
    </section>
  )
}

function Count({ count, one, many }: { count: number; one: string; many: string }) {
  return <b>{`${formatNumber(count)} ${count === 1 ? one : many}`}</b>
}

function FamilyUse({ figures }: { figures: FamilyFigures }) {
  const shown = usedFigures(figures)
  if (shown.every(({ figure }) => figure === null)) return null
  return (
    <>
      <OpenSourceFigures figures={shown} topic={{ name: 'figures.family', args: {} }} />
      <p className="fine-print">
        Totals of all libraries, from GitHub and npm. Between updates, downloads are estimated from the average of the last
        seven days. A person who contributes to two repositories is counted twice.
      </p>
    </>
  )
}

function usedFigures(figures: FamilyFigures): NamedFigure[] {
  const { downloadsTotal, downloadsPerDay, stars, contributorsPerRepository, dependentsPerPackage } = figures
  return [
    { name: 'downloadsTotal', label: 'downloads from npm', figure: downloadsTotal, perDay: downloadsPerDay },
    { name: 'stars', label: 'stars on GitHub', figure: stars },
    { name: 'contributorsPerRepository', label: 'contributors', figure: contributorsPerRepository },
    { name: 'dependentsPerPackage', label: 'dependent packages', figure: dependentsPerPackage },
  ]
}
