import type { ComparisonChart } from '../../api/generated'
import { paths } from '../../lib/paths'
import { AreaStyles } from '../ui/AreaStyles'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'
import { Chart } from './Chart'
import { ChartSwatch } from './ChartSwatch'

/** A chart for a frame on another site. Its links open in the parent window. */
export function EmbeddedComparison({ chart }: { chart: ComparisonChart }) {
  const { family } = useShell()
  return (
    <div className="embedded-comparison">
      <AreaStyles name="statistics" />
      <h1 className="sr-only">npm downloads: {chart.title}</h1>
      <ul className="embedded-legend">
        {chart.series
          .filter(({ status }) => status === 'ready')
          .map(({ name, label, color, dash }) => (
            <li key={name}>
              <ChartSwatch color={color} dash={dash} />
              {label}
            </li>
          ))}
      </ul>
      <Chart chart={chart} height={chart.comparison.height} />
      <p className="fine-print">
        {chart.source}{' '}
        <Link to={paths.statistics(chart.query)} target="_parent" className="text-link">
          Open on {family}
        </Link>
      </p>
    </div>
  )
}
