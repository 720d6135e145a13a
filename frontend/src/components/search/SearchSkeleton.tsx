const ROWS = ['first', 'second', 'third']

/** Three rows in place of results that take long. The dialog announces the wait. */
export function SearchSkeleton() {
  return (
    <div className="search-skeleton" aria-hidden="true">
      {ROWS.map((row) => (
        <span key={row} className="search-skeleton-row" />
      ))}
    </div>
  )
}
