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
  const facts: [number, string, string][] = [
    [counts.libraries, 'library', 'libraries'],
    [counts.frameworks, 'framework', 'frameworks'],
    [counts.versions, 'documented version', 'documented versions'],
  ]
  // Without zeros: a server without docs says nothing about the libraries.
  const counted = facts.filter(([count]) => count > 0)
  const hasSeveralVersions = counts.versions > counts.libraries
  const isUsed = usedFigures(figures).some(({ figure }) => figure !== null)
  if (!isUsed && !hasSeveralVersions && counts.frameworks === 0) return null
  return (
    <section className="column home-stats" aria-label="The family in figures">
      <FamilyUse figures={figures} />
      <p className="home-facts">
        {counted.map(([count, one, many]) => (
          <span key={many}>
            <b>{formatNumber(count)}</b> {count === 1 ? one : many}
          </span>
        ))}
        {hasSeveralVersions ? <span>Across all published versions.</span> : null}
      </p>
    </section>
  )
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
