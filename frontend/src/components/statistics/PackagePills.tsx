import { addPackage, countPackages, groupName, MAX_PACKAGES } from '../../lib/statistics/comparisonEdits'
import { useComparisonPage } from './ComparisonContext'
import { PackageField } from './PackageField'
import { PackagePill } from './PackagePill'

/** What is compared: a pill for each group, and the field that adds packages. */
export function PackagePills() {
  const { comparison, chart, change } = useComparisonPage()
  // Until the chart of a changed comparison has arrived, its series are found by name.
  const seriesOf = (name: string) => chart.series.find((series) => series.name === name)
  return (
    <section aria-label="Packages" className="package-pills">
      <PackageField
        label="Add a package"
        taken={comparison.groups.map(groupName)}
        full={countPackages(comparison) >= MAX_PACKAGES}
        onChoose={(name) => change((current) => addPackage(current, name))}
      />
      <ul>
        {comparison.groups.map((group) => (
          <PackagePill key={groupName(group)} group={group} series={seriesOf(groupName(group))} />
        ))}
      </ul>
    </section>
  )
}
