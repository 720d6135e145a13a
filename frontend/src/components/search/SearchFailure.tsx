import type { FailedSearch } from '../../lib/search/search'
import { Button } from '../ui/Button'
import { EmptyState } from './EmptyState'

/** Shown in place of results after a failed search. */
export function SearchFailure({ failure, onRetry }: { failure: FailedSearch; onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState title={failure.reached ? 'Search is unavailable' : 'Search is unreachable'} text={failure.message}>
        <Button onClick={onRetry}>
          Try again
        </Button>
      </EmptyState>
    </div>
  )
}
