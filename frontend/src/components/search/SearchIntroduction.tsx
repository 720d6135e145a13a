import { Fragment } from 'react'
import { searchUrl } from '../../lib/search/search'
import { Link } from '../ui/Link'
import { EmptyState } from './EmptyState'

interface Props {
  /** Queries to try. */
  examples: readonly string[]
  /** Fills the box; without it, the examples are links to the search page. */
  onTry?: (query: string) => void
}

/** Shown before anything is typed. */
export function SearchIntroduction({ examples, onTry }: Props) {
  return (
    <EmptyState title="Search the product" text="Start typing to search through our documentation, guides, and more.">
      {examples.length > 0 ? (
        <p className="empty-state-hint">
          Try{' '}
          {examples.map((example, at) => (
            <Fragment key={example}>
              {at > 0 ? ' or ' : null}
              {onTry ? (
                <button type="button" className="text-button" onClick={() => onTry(example)}>
                  “{example}”
                </button>
              ) : (
                <Link to={searchUrl({ q: example })} className="text-button">
                  “{example}”
                </Link>
              )}
            </Fragment>
          ))}
        </p>
      ) : null}
    </EmptyState>
  )
}
