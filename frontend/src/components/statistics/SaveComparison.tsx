import { comparisonQuery } from '../../lib/statistics/comparison'
import { paths } from '../../lib/paths'
import { removeItem, saveItem } from '../../lib/accounts/savedItems'
import { Button } from '../ui/Button'
import { Icon } from '../ui/Icon'
import { Link } from '../ui/Link'
import { useSavedItems } from '../ui/useSavedItems'
import { useComparisonPage } from './ComparisonContext'

const LONGEST_NAME = 200
/** The server stores no longer ones. */
const LONGEST_QUERY = 2048

/** Saves the comparison in this browser and, for readers who are signed in, on all of their devices. */
export function SaveComparison() {
  const { chart, comparison } = useComparisonPage()
  const query = comparisonQuery(comparison)
  const saved = useSavedItems('comparison')?.find(({ value }) => value.query === query)
  const toggle = () => {
    if (saved) removeItem('comparison', saved.key)
    else saveItem('comparison', newKey(), { name: chart.title.slice(0, LONGEST_NAME), query })
  }
  return (
    <div className="export-group needs-script">
      <span>Keep</span>
      <Button size="small" disabled={query.length > LONGEST_QUERY} aria-pressed={saved !== undefined} onClick={toggle}>
        <Icon name={saved ? 'check' : 'bookmark'} />
        {saved ? 'Saved' : 'Save'}
      </Button>
      <output>
        {saved ? (
          <Link to={paths.dashboard()} className="text-link">
            On your dashboard
          </Link>
        ) : null}
      </output>
    </div>
  )
}

function newKey(): string {
  return Date.now().toString(36) + Math.random().toString(36).slice(2, 10)
}
