import type { CSSProperties } from 'react'
import { useEffect, useId, useState } from 'react'
import type { Load } from '../../api/call'
import type { MajorVersion, VersionAdoption } from '../../api/generated'
import { formatFigure, formatShare } from '../../lib/statistics/comparisonFigures'
import { formatDate } from '../../lib/format'
import type { FirstAdoption } from '../../lib/statistics/loadComparison'
import { loadVersions } from '../../lib/statistics/loadComparison'
import { useComparisonPage } from './ComparisonContext'

interface Props {
  /** What the page came with. */
  first: FirstAdoption | null
}

/** How downloads of one package divide into its major versions. Nothing where no week is recorded. */
export function VersionShares({ first }: Props) {
  const { chart, load } = useComparisonPage()
  const id = useId()
  const names = chart.series.flatMap(({ status, packages }) => (status === 'ready' ? packages.map(({ name }) => name) : []))
  const [chosen, setChosen] = useState<string | null>(null)
  const name = chosen && names.includes(chosen) ? chosen : (names[0] ?? '')
  const versions = useVersions(name, first, load)
  // A package that the reader chose stays chosen, so that the field stays, too.
  if (!versions || (versions.weeks.length === 0 && chosen === null)) return null
  const { weeks, majors, mirrorFloor, weekTotal } = versions
  return (
    <section aria-labelledby={id} className="version-shares">
      <h2 id={id} className="stats-heading">
        Versions
      </h2>
      <div className="version-shares-intro">
        {weeks.length > 0 ? <RecordedWeeks weeks={weeks} /> : <p>No data for {name} yet.</p>}
        <label className="option-field needs-script">
          Package
          <select value={name} onChange={(event) => setChosen(event.target.value)}>
            {[...new Set(names)].map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        </label>
      </div>
      <ol className="version-bars">
        {majors.map((major) => (
          <MajorBar key={major.major} major={major} />
        ))}
      </ol>
      {mirrorFloor === null ? null : (
        <p className="fine-print">
          About {formatFigure(mirrorFloor)} of the {formatFigure(weekTotal)} downloads of that week come from mirrors and other
          bots, estimated from versions that hardly any project uses.
        </p>
      )}
    </section>
  )
}

function RecordedWeeks({ weeks }: { weeks: readonly string[] }) {
  return (
    <p>
      Downloads by major version, in the week to <time dateTime={weeks.at(-1)}>{formatDate(weeks.at(-1) ?? '')}</time>. npm publishes
      only the last week, so this site records it: since <time dateTime={weeks[0]}>{formatDate(weeks[0] ?? '')}</time>.
    </p>
  )
}

interface BarStyle extends CSSProperties {
  '--part': string
}

function MajorBar({ major: { major, shares } }: { major: MajorVersion }) {
  const share = shares.at(-1) ?? null
  const before = shares.length > 1 ? (shares[0] ?? null) : null
  if (share === null) return null
  const style: BarStyle = { '--part': `${share}%` }
  return (
    <li style={style}>
      <span className="version-bar-name">{major}</span>
      <span className="version-bar" />
      <span className="version-bar-share">
        {formatShare(share)}
        {before === null ? null : <small> from {formatShare(before)}</small>}
      </span>
    </li>
  )
}

/** Undefined while they are loaded, null if there are none. */
function useVersions(name: string, first: FirstAdoption | null, load: Load): VersionAdoption | null | undefined {
  const [loaded, setLoaded] = useState<{ name: string; versions: VersionAdoption | null } | null>(null)
  const known = first?.name === name ? first.versions : loaded?.name === name ? loaded.versions : undefined
  useEffect(() => {
    if (known !== undefined || !name) return undefined
    let current = true
    void loadVersions(load, name).then((versions) => {
      if (current) setLoaded({ name, versions })
    })
    return () => {
      current = false
    }
  }, [known, name, load])
  return known
}
