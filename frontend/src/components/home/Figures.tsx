import type { Figures as Counted } from '../../api/generated'
import { grouped } from '../../lib/words'

/** How much there is to read, as this server counts it. */
export function Figures({ figures }: { figures: Counted }) {
  const tiles: [string, number][] = [
    ['libraries', figures.libraries],
    ['frameworks they fit', figures.frameworks],
    ['versions with docs', figures.versions],
    ['pages of docs', figures.pages],
    ['examples with code', figures.examples],
  ]
  // A copy may have docs alone; that there are none would not be true of the family.
  const counted = tiles.filter(([, count]) => count > 0)
  return (
    <section className="column home-figures" aria-label="The family in figures">
      <dl>
        {counted.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{grouped(count)}</dd>
          </div>
        ))}
      </dl>
      <p className="fine">Counted in the docs that this site serves now, old versions included.</p>
    </section>
  )
}
