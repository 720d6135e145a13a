import type { ComparisonChart, Outage } from '../../api/generated'
import { formatDate } from '../../lib/format'
import { binNoun } from '../../lib/statistics/comparisonOptions'
import { useComparisonPage } from './ComparisonContext'

/** Shown as long as the chart is synthetic. */
export function SampleNotice() {
  return (
    <div className="sample-notice" role="note">
      <strong>Sample data.</strong> This server has no counts from npm yet. The chart shows made-up numbers, so that you can try the
      page. They are not downloads of these packages.
    </div>
  )
}

/** Where the data comes from, and what to know about it. */
export function ComparisonNotes() {
  const { chart } = useComparisonPage()
  const notes = noteTexts(chart)
  return (
    <div className="comparison-notes">
      <p>
        {chart.source} {chart.asOf ? (
          <>
            As of <time dateTime={chart.asOf}>{formatDate(chart.asOf)}</time>.
          </>
        ) : null}
      </p>
      {notes.length + chart.outages.length > 0 ? (
        <ul>
          {chart.outages.map((outage) => (
            <li key={`${outage.first} ${outage.package}`}>
              <OutageDays outage={outage} />
              {outage.package ? ` (${outage.package})` : null}: {outage.text}
            </li>
          ))}
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function OutageDays({ outage: { first, last } }: { outage: Outage }) {
  return (
    <>
      <time dateTime={first}>{formatDate(first)}</time>
      {last === first ? null : (
        <>
          {' '}
          to <time dateTime={last}>{formatDate(last)}</time>
        </>
      )}
    </>
  )
}

function noteTexts({ axis, series, comparison }: ComparisonChart): string[] {
  const noun = binNoun(axis.unit)
  const fixed = series.some((one) => one.fixed.length > 0)
  const gaps = series.some((one) => one.gaps.length > 0)
  return [
    axis.partial.length > 0
      ? `A dashed end is an incomplete ${noun}: the range starts, or the data ends, within it. "Complete bins only" hides it.`
      : '',
    comparison.fix === 'zero' && fixed
      ? `Where days have no count, the ${noun} is scaled up from its other days. The table and the exports have the same values as the chart.`
      : '',
    comparison.fix === 'none' && gaps
      ? `Dotted ${noun}s are too low because some of their days have no count. "Fill days without counts" scales them up.`
      : '',
    comparison.withoutMirrors
      ? 'Mirrors and other bots download every version of a package, popular or not. The share that even the least used versions get is attributed to them and subtracted. This is an estimate.'
      : '',
    axis.aligned ? `Each line starts with the first ${noun} in which the package was downloaded.` : '',
  ].filter(Boolean)
}
