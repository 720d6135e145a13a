import { useId, useState } from 'react'
import type { Load } from '../../api/call'
import type { ComparisonChart, ComparisonChoices } from '../../api/generated'
import type { ComparisonSearch, SearchRecord } from '../../lib/statistics/comparison'
import type { FirstAdoption } from '../../lib/statistics/loadComparison'
import { AreaStyles } from '../ui/AreaStyles'
import { Chart } from './Chart'
import { ComparisonContext, useComparisonPage } from './ComparisonContext'
import { ComparisonControls } from './ComparisonControls'
import { ComparisonNotes, SampleNotice } from './ComparisonNotes'
import { ComparisonTable } from './ComparisonTable'
import { ExportMenu } from './ExportMenu'
import { HeightHandle } from './HeightHandle'
import { PackagePills } from './PackagePills'
import { PopularComparisons } from './PopularComparisons'
import { useShell } from '../ui/useShell'
import { useComparisonState } from './useComparisonState'
import { useImportPolling } from './useImportPolling'
import { VersionShares } from './VersionShares'

interface Props {
  chart: ComparisonChart
  /** The `dataKey` of the search that the chart was loaded for. */
  loadedKey: string
  choices: ComparisonChoices
  adoption: FirstAdoption | null
  search: SearchRecord
  navigate: (search: ComparisonSearch, how?: 'replace') => void
  refresh: () => void
  load: Load
  /** Whether the chart of a new URL is being loaded. */
  loading: boolean
}

/** The page that compares downloads of packages. Its state is in the URL. */
export function ComparisonPage({ choices, adoption, load, refresh, loading, ...source }: Props) {
  const state = useComparisonState(source)
  const { chart } = state
  const { isStatic } = useShell()
  useImportPolling(chart, refresh)
  return (
    <ComparisonContext value={{ ...state, choices, load, refresh }}>
      <AreaStyles name="statistics" />
      <div data-needs-app="" className="stats-page">
        <header>
          <p className="eyebrow">npm downloads</p>
          <h1 className="stats-title">{chart.title}</h1>
          <p className="stats-lead">
            How often packages are downloaded from npm, side by side.
            {isStatic ? null : ' The URL holds every setting, so you can share what you see.'}
          </p>
        </header>
        {chart.sample ? <SampleNotice /> : null}
        {isStatic ? null : <PackagePills />}
        {isStatic ? null : <ComparisonControls />}
        <ChartSection loading={loading} />
        <Announcement chart={source.chart} />
        <ComparisonTable />
        <VersionShares first={adoption} />
        <PopularComparisons />
      </div>
    </ComparisonContext>
  )
}

/** Apart from the page, since it is rendered for each step of a drag. */
function ChartSection({ loading }: { loading: boolean }) {
  const { chart, comparison } = useComparisonPage()
  const { isStatic } = useShell()
  const [draggedHeight, setDraggedHeight] = useState<number | null>(null)
  const chartId = useId()
  return (
    <section aria-label="Chart" aria-busy={loading} className="stats-chart">
      <Chart id={chartId} chart={chart} height={comparison.height} draggedHeight={draggedHeight} />
      {isStatic ? null : <HeightHandle controls={chartId} dragged={draggedHeight} onDrag={setDraggedHeight} />}
      <div className="stats-chart-foot">
        {isStatic ? null : <ExportMenu />}
        <ComparisonNotes />
      </div>
    </section>
  )
}

/** Describes a new chart to screen readers. */
function Announcement({ chart }: { chart: ComparisonChart }) {
  const [first] = useState(chart)
  return <output className="sr-only">{chart === first ? '' : chart.summary}</output>
}
