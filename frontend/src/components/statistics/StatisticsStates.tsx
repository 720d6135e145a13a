import type { ChartSeries } from '../../api/generated'
import { StatePreview } from '../ui/StatePreview'
import { SampleNotice } from './ComparisonNotes'
import { PackageMessage } from './PackageMessage'

const SERIES: ChartSeries = {
  name: 'sample',
  label: 'sample',
  packages: [],
  color: '',
  dash: '',
  baseline: false,
  status: 'waiting',
  message: '',
  values: [],
  gaps: [],
  fixed: [],
  figures: null,
}

function message(status: ChartSeries['status'], text: string): ChartSeries {
  return { ...SERIES, status, message: text }
}

/** The states of the npm statistics, for `/design`. */
export function StatisticsStates() {
  return (
    <>
      <StatePreview name="No counts from npm yet" isStill>
        <SampleNotice />
      </StatePreview>
      <StatePreview name="A package whose history is being fetched">
        <PackageMessage name="sample" series={message('importing', 'The downloads of sample are being fetched from npm.')} />
      </StatePreview>
      <StatePreview name="A package that npm does not have">
        <PackageMessage name="sample" series={message('not-found', 'Package "sample" not found on npm')} />
      </StatePreview>
      <StatePreview name="A package without counts">
        <PackageMessage name="sample" series={message('no-data', 'npm has no downloads of sample.')} />
      </StatePreview>
    </>
  )
}
