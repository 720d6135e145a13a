import type { ContentCounts } from '../../api/generated'
import { formatNumber } from '../../lib/format'

/** Counts of libraries, frameworks, versions, pages and examples on this server. */
export function HomeStats({ figures }: { figures: ContentCounts }) {
  const tiles: [string, number][] = [
    ['libraries', figures.libraries],
    ['frameworks they fit', figures.frameworks],
    ['versions with docs', figures.versions],
    ['pages of docs', figures.pages],
    ['examples with code', figures.examples],
  ]
  // Without zeros: a server without examples says nothing about the libraries.
  const counted = tiles.filter(([, count]) => count > 0)
  return (
    <section className="column home-stats" aria-label="The family in figures">
      <dl>
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
