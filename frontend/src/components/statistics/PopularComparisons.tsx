import type { MouseEvent } from 'react'
import type { ComparisonCategory } from '../../api/generated'
import { seriesStyle } from '../../lib/statistics/chart/seriesColors'
import { comparisonQuery } from '../../lib/statistics/comparison'
import { groupName, setGroups } from '../../lib/statistics/comparisonEdits'
import { paths } from '../../lib/paths'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'
import { useComparisonPage } from './ComparisonContext'

const DOT = '#808080'

/** Comparisons to begin with: links, which keep the range and what belongs to it. */
export function PopularComparisons() {
  const { choices } = useComparisonPage()
  if (choices.categories.length === 0) return null
  return (
    <section aria-labelledby="popular-title" className="popular-comparisons">
      <h2 id="popular-title" className="stats-heading">
        Popular comparisons
      </h2>
      <ul>
        {choices.categories.map((category) => (
          <li key={category.title}>
            <CategoryCard category={category} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function CategoryCard({ category: { title, groups } }: { category: ComparisonCategory }) {
  const { comparison, change } = useComparisonPage()
  const { isStatic } = useShell()
  const open = (event: MouseEvent) => {
    if (isStatic || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    change((current) => setGroups(current, groups))
    scrollTo({ top: 0 })
  }
  return (
    <div className="card popular-comparison">
      <h3>
        <Link to={isStatic ? namedComparison(groups) : paths.statistics(comparisonQuery(setGroups(comparison, groups)))} className="card-link" onClick={open}>
          {title}
        </Link>
      </h3>
      <ul>
        {groups.map((group) => (
          <li key={groupName(group)} style={seriesStyle(group.color ?? DOT)}>
            {groupName(group)}
            {group.packages.length > 1 ? <small> + {group.packages.length - 1}</small> : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A page of an export: the comparison of the packages that name the groups. */
function namedComparison(groups: ComparisonCategory['groups']) {
  return paths.namedStatistics(groups.map(groupName).join('-vs-'))
}
