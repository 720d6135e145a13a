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
  const tiles: [string, number][] = [
    ['libraries', counts.libraries],
    ['frameworks they fit', counts.frameworks],
    ['versions with docs', counts.versions],
    ['pages of docs', counts.pages],
    ['examples with code', counts.examples],
  ]
  // Without zeros: a server without examples says nothing about the libraries.
  const counted = tiles.filter(([, count]) => count > 0)
  return (
    <section className="column home-stats" aria-label="The family in figures">
      <FamilyUse figures={figures} />
      <dl className="home-counts">
        {counted.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      <p className="fine-print">Counted in the docs that this site serves now, old versions included.</p>
    </section>
  )
}

function FamilyUse({ figures }: { figures: FamilyFigures }) {
  const { downloadsTotal, downloadsPerDay, stars, contributorsPerRepository, dependentsPerPackage } = figures
  const shown: NamedFigure[] = [
    { name: 'downloadsTotal', label: 'downloads from npm', figure: downloadsTotal, perDay: downloadsPerDay },
    { name: 'stars', label: 'stars on GitHub', figure: stars },
    { name: 'contributorsPerRepository', label: 'contributors', figure: contributorsPerRepository },
    { name: 'dependentsPerPackage', label: 'dependent packages', figure: dependentsPerPackage },
  ]
  if (shown.every(({ figure }) => figure === null)) return null
  return (
    <>
      <OpenSourceFigures figures={shown} topic={{ name: 'figures.family', args: {} }} />
      <p className="fine-print">
        Counted by GitHub and npm for all libraries together. Between two counts, downloads are estimated from the mean of
        the last seven days. A person who contributes to two repositories counts twice.
      </p>
    </>
  )
}
